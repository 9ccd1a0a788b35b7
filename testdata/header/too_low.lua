local limit = ARGV[1]
-- @arg limit int
-- want: RG120 "@arg stands after the first statement"
return limit
