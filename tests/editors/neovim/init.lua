-- A person's configuration with nothing but the plugin in it; options come from the test.
vim.o.swapfile = false
vim.o.more = true
vim.opt.runtimepath:append(vim.env.EDIT_ASSIST_TEST_PLUGIN)
local options = vim.env.EDIT_ASSIST_TEST_OPTIONS
if options then
  vim.g.edit_assist = vim.json.decode(options)
end
