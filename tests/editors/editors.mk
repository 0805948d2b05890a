# The editors' tests: included by the Makefile at the top, whose $(READY) and $(BIN) they use.

.PHONY: test-editors test-neovim neovim-picture

test-editors: test-neovim test-vscode ## the real editors, headless, each beside an agent's server

test-neovim: $(READY) ## the plugin in the real Neovim (from pip, in a cache outside the checkout)
	EDIT_ASSIST_NEEDS_NEOVIM=1 $(BIN)/python -m pytest -m neovim tests/editors/neovim

neovim-picture: $(READY) ## draw docs/images/neovim.svg from Neovim's real screen
	@$(BIN)/python -m tests.editors.neovim.draw docs/images/neovim.svg
