--[[
  Reserves stock.
  * @script reserve
  * @version 1.0.0
  * @owner   shop
  * @readonly
  * @key lock string "lock:{<order>}"
  * @key stock hash "stock:{<order>}:<level>" ttl=external bound=100
  * @key audit any
  * @arg level int
  * @code  1 reserved
  * @code  0 short error            # not enough left
  * @code -1 mismatch error
  * @code "QUEUED" queued
  * @error LOCKED lock_held # somebody else holds it
  * @error NOT_ENOUGH_2 not_enough
]]

return 1
