-- Admits at most `limit` requests per sliding window.
-- @script  sliding_window
-- @version 1.2.0
-- @owner   platform
-- @key     log    zset "rl:{<tenant>}:<route>" ttl=required  # one member per admitted request
-- @arg     now    now(ms)
-- @arg     window duration(ms) min=1ms
-- @arg     limit  int min=1
-- @arg     member string            # unique per request
-- @code    1 allowed
-- @code    0 rejected
-- @return  {code, count int, reset_after duration(ms)}

return {1, 0, 0}
