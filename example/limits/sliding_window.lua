-- Admits at most `limit` requests per sliding window. A refused request leaves no trace, so that asking again and again
-- keeps nobody out. The log holds one member per admitted request and goes away when a window passes without one.
--
-- @script  sliding_window
-- @version 1.2.0
-- @owner   platform
-- @key     log    zset "rl:{<tenant>}:<route>" ttl=required  # one member per admitted request
-- @arg     now    now(ms)
-- @arg     window duration(ms) min=1ms
-- @arg     limit  int min=1
-- @arg     member string            # unique per request
-- @code    1 allowed                # the request may pass
-- @code    0 rejected               # try again after reset_after
-- @return  {code, count int, reset_after duration(ms)}

local now = tonumber(ARGV[1])
local window = tonumber(ARGV[2])
local limit = tonumber(ARGV[3])

redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
local count = redis.call('ZCARD', KEYS[1])
local code = 0

if count < limit then
  count = count + redis.call('ZADD', KEYS[1], now, ARGV[4]) -- 0 for a member that is there already
  redis.call('PEXPIRE', KEYS[1], window)
  code = 1
end

-- The window moves on when its oldest request leaves it.
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local reset_after = math.max(0, tonumber(oldest[2]) + window - now)

return {code, count, reset_after}
