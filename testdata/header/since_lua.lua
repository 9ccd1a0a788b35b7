#!lua
-- @since redis 6.2.7
-- want: RG216 "the #!lua line needs redis 7.0"
