#!/bin/sh
# Installs the MCP servers of package-lock.json into the folder $1, with npm where there is one.
# Elsewhere pytest leaves out the tests that need them and says so.
set -eu

if ! command -v npm >/dev/null 2>&1; then
    echo "npm is missing: the tests with MCP servers written for node are left out"
    exit 0
fi
echo "installing the MCP servers that the tests talk to"
mkdir -p "$1"
cp "$(dirname "$0")/package.json" "$(dirname "$0")/package-lock.json" "$1"
npm ci --prefix "$1" --no-audit --no-fund --no-update-notifier --ignore-scripts --loglevel=error >/dev/null
