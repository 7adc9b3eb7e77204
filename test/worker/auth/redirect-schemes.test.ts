/** Redirect URIs: which schemes belong to clients. */

import { hasRefusedScheme } from '#worker/auth/redirect-schemes.ts'
import { expect, it } from 'vitest'

it.each([
  'javascript:alert(1)',
  'JavaScript://client.example/%0aalert(1)',
  ' java\tscript:alert(1)',
  'vbscript:x',
  'data:text/html,x',
  'blob:https://client.example/x',
  'about:blank',
  'file:///tmp/x',
  'filesystem:https://client.example/x',
  'view-source:https://client.example/',
  'intent://client.example/#Intent;scheme=x;end',
  'ftp://client.example/cb',
  'sftp://client.example/cb',
  'ssh://client.example/cb',
  'telnet://client.example',
  'ldap://client.example/cb',
  'smb://client.example/cb',
  'ws://client.example/cb',
  'wss://client.example/cb',
  'mailto:a@client.example',
  'tel:1',
  'sms:1',
  'sip:a@client.example',
  'shell:startup',
  'search-ms:query=x',
  'ms-msdt:/id',
  'MS-Settings:',
  'ms-officecmd:x',
])('none has %j', (uri) => {
  expect(hasRefusedScheme(uri)).toBe(true)
})

it.each([
  'https://client.example/cb',
  'http://127.0.0.1:9/cb',
  'com.example.app:/cb',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'vscode://publisher.extension/cb',
  'vscode-insiders://publisher.extension/cb',
  'warp://mcp/oauth2callback',
  'claude://cb',
  'raycast://oauth',
  'data-studio://cb',
  'msteams://cb',
  'telegram://cb',
])('some has %j', (uri) => {
  expect(hasRefusedScheme(uri)).toBe(false)
})

it('leaves what is no URI to the library, which refuses it', () => {
  expect(hasRefusedScheme('/relative')).toBe(false)
})
