--- The options: those of `vim.g.edit_assist`, and over them those given to `setup()`.

local M = {}

---@class edit_assist.Options
---@field enabled? boolean whether the server is started for files
---@field cmd? string[] the server's program and its arguments
---@field notify? boolean whether a failing call is announced
---@field limit? integer how many calls `:EditAssist` asks for
---@field settings? table<string, any> the server's own settings

---@type table<string, { default: any, must_be: string, fits: fun(value: any): boolean }>
local OPTIONS = {
  enabled = {
    default = true,
    must_be = 'true or false',
    fits = function(value)
      return type(value) == 'boolean'
    end,
  },
  cmd = {
    must_be = 'a list of words, such as { "edit-assist-ls" }',
    fits = function(value)
      if type(value) ~= 'table' or not vim.islist(value) or #value == 0 then
        return false
      end
      return vim.iter(value):all(function(word)
        return type(word) == 'string' and word ~= ''
      end)
    end,
  },
  notify = {
    default = true,
    must_be = 'true or false',
    fits = function(value)
      return type(value) == 'boolean'
    end,
  },
  limit = {
    default = 100,
    must_be = 'a whole number from 1 to 1000',
    fits = function(value)
      return type(value) == 'number' and value % 1 == 0 and value >= 1 and value <= 1000
    end,
  },
  settings = {
    must_be = 'a table of the server\'s settings, such as { ledger = "minimal" }',
    fits = function(value)
      return type(value) == 'table' and not (vim.islist(value) and next(value) ~= nil)
    end,
  },
}

---@type table<string, any>
local given_to_setup = {}

--- Remembers what was given to `setup()`; each call counts over the ones before it, option by option.
---@param options? edit_assist.Options
function M.set(options)
  given_to_setup = vim.tbl_extend('force', given_to_setup, options or {})
end

--- The options that hold, and one sentence for each that is wrong; a wrong one leaves its default.
---@return edit_assist.Options options
---@return string[] problems
function M.get()
  local words = require('edit_assist.words')
  local from_variable = vim.g.edit_assist
  local problems = {}
  if from_variable ~= nil and type(from_variable) ~= 'table' then
    table.insert(problems, words.no_table_of_options(from_variable))
    from_variable = nil
  end
  local options = {}
  for name, option in pairs(OPTIONS) do
    options[name] = option.default
  end
  for _, layer in ipairs({ from_variable or {}, given_to_setup }) do
    for name, value in vim.spairs(layer) do
      local option = OPTIONS[name]
      if option == nil then
        table.insert(problems, words.unknown_option(name, vim.tbl_keys(OPTIONS)))
      elseif option.fits(value) then
        options[name] = value
      else
        table.insert(problems, words.wrong_option(name, value, option.must_be))
      end
    end
  end
  return options, problems
end

return M
