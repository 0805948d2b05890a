-- Sourced once at startup: the commands, and the server for every file. Everything else is loaded when it is needed.

if vim.g.loaded_edit_assist then
  return
end
vim.g.loaded_edit_assist = 1

if vim.fn.has('nvim-0.11') == 0 then
  vim.schedule(function()
    vim.notify('edit-assist: this Neovim is too old; 0.11 or newer is needed.', vim.log.levels.ERROR)
  end)
  return
end

require('edit_assist.commands').create()
require('edit_assist').start()
