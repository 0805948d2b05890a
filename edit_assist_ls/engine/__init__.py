"""The engine: text in, values out.

Nothing here knows a host, a file, a clock, LSP or asyncio; nothing here raises for what a model wrote.
"""
