-- Returns how many pieces there are.
-- @script   left
-- @version  1.0.0
-- @owner    shop
-- @readonly
-- @key      stock string "stock:{<sku>}"
-- @return   int

return tonumber(redis.call('GET', KEYS[1]) or '0')
