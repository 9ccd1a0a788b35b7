-- Takes pieces off a stock if there are enough. A stock below zero is closed.
-- @script  reserve
-- @version 2.0.0
-- @owner   shop
-- @key     stock    string "stock:{<sku>}"
-- @arg     quantity int min=1
-- @code    1 reserved
-- @code    0 short
-- @code   -1 closed error  # nothing of this is sold any more

local left = tonumber(redis.call('GET', KEYS[1]) or '0')
if left < 0 then
  return -1
end
if left < tonumber(ARGV[1]) then
  return 0
end
redis.call('DECRBY', KEYS[1], ARGV[1])
return 1
