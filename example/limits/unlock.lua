-- Releases a lock, but only for its holder: a lock that expired may be somebody else's by now.
-- @script  unlock
-- @version 1.0.0
-- @owner   platform
-- @key     lock  string "lock:{<resource>}"
-- @arg     token string min=1 secret  # what the holder wrote into the lock
-- @code    1 released
-- @code    0 not_held                 # expired, or held by somebody else

if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
