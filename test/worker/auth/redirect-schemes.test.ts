/** Redirect URIs: which schemes belong to clients. */

import { hasRefusedScheme } from '#worker/auth/redirect-schemes.ts'
import { describe, expect, it } from 'vitest'

describe('a redirect URI', () => {
  it.each([
    ...[
      '\ufeffhttps://x.example/cb',
      '\u00a0cursor://x',
      '\u3000https://x.example/',
      ' https://x.example/',
    ],
    ...['x-apple.systempreferences:x', 'ms-word.ofe:x'],
    'http:localhost:3/cb',
    'http:/localhost:3/cb',
    'https:client.example',
    'https:/client.example/cb',
    String.raw`https:\\client.example/cb`,
    'https:///client.example/cb',
    'ht\ttps://client.example/cb',
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
    'jar:https://client.example/a.jar!/b',
    'chrome://settings',
    'chrome-extension://abcdefghijklmnop/cb',
    'resource://client/cb',
    'edge://settings',
    'intent://client.example/#Intent;scheme=x;end',
    'android-app://com.example.app',
    'market://details?id=x',
    'content://com.example.app/cb',
    'itms-services://?action=download-manifest',
    'ftp://client.example/cb',
    'ssh://client.example/cb',
    'ldap://client.example/cb',
    'ws://client.example/cb',
    'wss://client.example/cb',
    'mailto:a@client.example',
    'tel:1',
    'shell:startup',
    'search-ms:query=x',
    'ms-msdt:/id',
    'MS-Settings:',
    'steam://run/1',
    'unknown://cb',
    'unknown.:/cb',
    '\u00a0unknown://cb',
    '\ufeffunknown://cb',
  ])('goes to no client: %j', (uri) => {
    expect(hasRefusedScheme(uri, {})).toBe(true)
  })

  it.each([
    'https://client.example/cb',
    'http://127.0.0.1:9/cb',
    'HTTPS://client.example/cb',
    'com.example.app:/cb',
    'COM.Example.my-app://cb',
    'com.raycast:/oauth?package_name=Extension',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://publisher.extension/cb',
    'vscode-insiders://publisher.extension/cb',
    'windsurf://codeium.windsurf/cb',
    'warp://mcp/oauth2callback',
    'claude://cb',
    'raycast://oauth?package_name=x',
  ])('goes to a client: %j', (uri) => {
    expect(hasRefusedScheme(uri, {})).toBe(false)
  })

  it('that is no URI is left to the library, which refuses it', () => {
    expect(hasRefusedScheme('/relative', {})).toBe(false)
  })

  it('goes to a scheme of EDGEWISE_REDIRECT_SCHEMES, and of no other', () => {
    const env = { EDGEWISE_REDIRECT_SCHEMES: 'my-client, other' }
    expect(hasRefusedScheme('my-client://cb', env)).toBe(false)
    expect(hasRefusedScheme('MY-Client://cb', env)).toBe(false)
    expect(hasRefusedScheme('other:/cb', env)).toBe(false)
    expect(hasRefusedScheme('my-client2://cb', env)).toBe(true)
    expect(hasRefusedScheme('my://cb', env)).toBe(true)
  })
})
