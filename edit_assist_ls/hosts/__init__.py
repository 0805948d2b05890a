"""The agent hosts, by name. A further host is a module here and a line in the table."""

from edit_assist_ls.hosts import pi
from edit_assist_ls.hosts.host import Host

HOSTS: dict[str, Host] = {host.name: host for host in (pi.HOST,)}
