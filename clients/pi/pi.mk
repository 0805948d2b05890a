# The pi extension: included by the Makefile at the top, whose $(READY) and $(BIN) it uses.

.PHONY: test-pi

test-pi: $(READY) ## the extension in the real pi (from npm, in a cache outside the checkout), scripted model on loopback
	EDIT_ASSIST_NEEDS_PI=1 $(BIN)/pytest -m pi tests/pi
