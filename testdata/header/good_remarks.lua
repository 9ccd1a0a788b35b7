---@param x string belongs to another tool
-- What the script does.
--
-- @script remarks
-- @version 1.0.0-rc.1+build.5
-- a remark, which says nothing
-- write to someone@example.com, @2
-- --@ is nothing either
--@key a string "a:{<id>}"
-- @arg name string  # the text of a tag
--      goes on here
--   @arg other string?
-- @return
--   string?

return nil -- @arg is no tag here
