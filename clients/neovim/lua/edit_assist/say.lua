--- How a person is told something: by `vim.notify`, on one line.

local M = {}

local TITLE = { title = 'edit-assist' }

---@param sentence string
---@param level integer
local function say(sentence, level)
  vim.notify(require('edit_assist.text').one_line('edit-assist: ' .. sentence, 1000), level, TITLE)
end

---@param sentence string
function M.info(sentence)
  say(sentence, vim.log.levels.INFO)
end

---@param sentence string
function M.warn(sentence)
  say(sentence, vim.log.levels.WARN)
end

---@param sentence string
function M.error(sentence)
  say(sentence, vim.log.levels.ERROR)
end

--- A sentence that comes unasked: cut to what the line of messages holds, so that it never asks for a key.
---@param sentence string
function M.unasked(sentence)
  local line = require('edit_assist.text').one_line('edit-assist: ' .. sentence, 1000)
  local room = math.max(20, vim.v.echospace)
  local characters = vim.fn.strchars(line)
  while vim.fn.strdisplaywidth(line) > room do
    characters = characters - 1
    line = vim.fn.strcharpart(line, 0, characters) .. '…'
  end
  vim.notify(line, vim.log.levels.WARN, TITLE)
end

return M
