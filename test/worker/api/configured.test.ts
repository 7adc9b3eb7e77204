/** Limits from the owner's configuration, and the configuration of the deployment. */

import { DEFAULT_CONFIG, formatConfig } from '#core/config.ts'
import { MAX_SECRET_LENGTH } from '#worker/auth/limits.ts'
import { deployedConfig, refuseMisconfigured } from '#worker/front/deployed-config.ts'
import type { Env } from '#worker/env.ts'
import front from '#worker/index.ts'
import { MAX_HISTORY_VERSIONS, MAX_FILE_BYTES } from '#worker/limits.ts'
import { limitsOf } from '#worker/store/limits.ts'
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { freshWorkspace } from '../../support/worker/client.ts'

async function createConfigured(config: Record<string, unknown>) {
  const workspace = freshWorkspace()
  const answer = await workspace.fetch('/config', { method: 'PUT', body: JSON.stringify(config) })
  expect(answer.status).toBe(200)
  await answer.body?.cancel()
  return workspace
}

describe('max_file_bytes', () => {
  it('applies to tools, uploads and imports', async () => {
    const { code, text, put, raw } = await createConfigured({ max_file_bytes: 4 })
    expect(await text('write_file', { path: 'a', content: 'four' })).toContain('a')
    expect(await code('write_file', { path: 'a', content: 'fiver' })).toBe('FILE_TOO_LARGE')
    expect(await put('/a', 'fiver')).toMatchObject({ code: 'FILE_TOO_LARGE' })
    expect(new TextDecoder().decode(await raw('/a'))).toBe('four')
  })

  it('belongs in configurations only, so a policy with it is refused', async () => {
    const { call } = await createConfigured({ max_file_bytes: 100 })
    const policy = { max_file_bytes: 3 }
    const { error } = await call('write_file', { path: 'a', content: 'four' }, { policy })
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('max_file_bytes'),
    })
  })
})

describe('max_workspace_bytes', () => {
  it('refuses growth, and permits existing files to shrink', async () => {
    const { code, text, put } = await createConfigured({ max_workspace_bytes: 8 })
    await put('/a', '12345')
    expect(await code('write_file', { path: 'b', content: '1234' })).toBe('WORKSPACE_FULL')
    expect(await text('write_file', { path: 'b', content: '123' })).toContain('b')
    expect(await text('write_file', { path: 'a', content: '1' })).toContain('a')
  })
})

describe('history_versions', () => {
  it('limits how many versions of a file can be restored', async () => {
    const { call, put } = await createConfigured({ history_versions: 2 })
    for (const content of ['one', 'two', 'three']) await put('/a', content)
    const { result } = await call('file_history', { path: 'a' })
    expect(result?.structuredContent['versions']).toHaveLength(2)
  })
})

it('0 means the built-in limit, and no setting exceeds it', () => {
  const open = { ...DEFAULT_CONFIG, max_file_bytes: 0, history_versions: 1_000_000 }
  expect(limitsOf(open)).toMatchObject({
    fileBytes: MAX_FILE_BYTES,
    versions: MAX_HISTORY_VERSIONS,
  })
})

/** A key twice, of which JSON.parse would keep the wider one. */
const TWICE = '{"read_only": true, "read_only": false}'

describe('EDGEWISE_CONFIG', () => {
  const withConfig = (EDGEWISE_CONFIG: string): Env => ({ ...env, EDGEWISE_CONFIG })

  it('overrides the defaults', () => {
    const read = deployedConfig(withConfig('{"find_limit": 7}'))
    const config = { ...DEFAULT_CONFIG, find_limit: 7 }
    expect(read).toEqual({ ok: true, value: { config, flags: {} } })
    expect(deployedConfig(env)).toEqual({ ok: true, value: { config: DEFAULT_CONFIG, flags: {} } })
  })

  it.each(['', 'x', '[]', '{"rots": []}', '{"find_limit": -1}', TWICE])(
    'refuses all requests while it is %j',
    async (text) => {
      const answer = refuseMisconfigured(withConfig(text))
      expect(answer?.status).toBe(503)
      expect(await answer?.json()).toMatchObject({ code: 'INVALID_CONFIG' })
    },
  )

  it.each(['/mcp', '/', '/files/a.txt', '/w/other/status', '/s/a.b/mcp'])(
    'refuses the request %s while it is invalid',
    async (path) => {
      const request = new Request(`http://localhost${path}`)
      const answer = await front.fetch(
        request,
        withConfig('{"rots": []}'),
        createExecutionContext(),
      )
      expect(answer.status).toBe(503)
      expect(await answer.json()).toEqual({
        code: 'INVALID_CONFIG',
        message: expect.stringMatching(/^Cannot use EDGEWISE_CONFIG: .*rots/),
      })
    },
  )

  it.each(['{"roots":[{"path":"/a\\\\jade"}]}', '{"roots":[{"path":"/","deny":["jade/{"]}]}'])(
    'names the place of the rule %s, and does not repeat it',
    async (text) => {
      const { message } = Object(await refuseMisconfigured(withConfig(text))?.json())
      expect(message).toMatch(/^Cannot use EDGEWISE_CONFIG: INVALID_\w+ at \/roots\/0\//)
      expect(message).not.toContain('jade')
    },
  )

  it('answers health checks while it is invalid', async () => {
    const request = new Request('http://localhost/healthz')
    const answer = await front.fetch(request, withConfig('x'), createExecutionContext())
    expect(answer.status).toBe(200)
  })
})

describe('SANDBOX_ORIGIN', () => {
  const answerTo = (path: string, SANDBOX_ORIGIN: string) =>
    front.fetch(
      new Request(`http://localhost${path}`),
      { ...env, SANDBOX_ORIGIN },
      createExecutionContext(),
    )

  it.each([
    ...['apps.example.com', 'apps.example.com:8443', 'ftp://apps.example.com', 'nope'],
    ...['https://apps.example/path', 'https://apps.example/?x', 'https://apps.example/#x'],
    ...['https://me@apps.example', 'https://'],
  ])('refuses all requests while it is %j', async (text) => {
    const answer = await answerTo('/', text)
    expect(answer.status).toBe(503)
    expect(await answer.json()).toEqual({
      code: 'INVALID_CONFIG',
      message:
        'Cannot use SANDBOX_ORIGIN: it is no http or https origin. Write it as https://apps.example.',
    })
    expect((await answerTo('/healthz', text)).status).toBe(200)
    expect((await answerTo('/sandbox', text)).status).toBe(404)
  })

  it.each(['https://apps.example', 'https://apps.example/', 'http://127.0.0.1:8080'])(
    'serves while it is %j',
    async (text) => {
      expect((await answerTo('/status', text)).status).toBe(200)
    },
  )

  it('counts as not set while it is empty', async () => {
    expect((await answerTo('/sandbox', '')).status).toBe(200)
    expect((await answerTo('/', '')).status).toBe(200)
  })
})

const statusWith = async (path: string, variables: Partial<Env>) => {
  const given = { ...env, ...variables }
  const answer = await front.fetch(
    new Request(`http://localhost${path}`),
    given,
    createExecutionContext(),
  )
  return { status: answer.status, body: await answer.text() }
}

describe('EDGEWISE_ACCESS', () => {
  it.each(['foo', ' ', 'team.example', 'team audience', 'https://team.example aud', 'a.b c d'])(
    'refuses all requests while it is %j, also with a secret',
    async (EDGEWISE_ACCESS) => {
      const variables = { EDGEWISE_ACCESS, EDGEWISE_OWNER_SECRET: 'x' }
      const { status, body } = await statusWith('/', variables)
      expect(status).toBe(503)
      expect(JSON.parse(body)).toEqual({
        code: 'INVALID_CONFIG',
        message:
          'Cannot use EDGEWISE_ACCESS: it is no domain and audience. Set it to both, with a space between.',
      })
      expect((await statusWith('/healthz', variables)).status).toBe(200)
    },
  )

  it.each(['team.cloudflareaccess.com 4714c1358e65', ' my-team.example\taud '])(
    'requires sign-in while it is %j',
    async (EDGEWISE_ACCESS) => {
      expect((await statusWith('/status', { EDGEWISE_ACCESS })).status).toBe(401)
    },
  )
})

describe('EDGEWISE_ORIGINS', () => {
  it.each([
    'site.example',
    'localhost:5173',
    '*',
    'null',
    'data:',
    'https://',
    'https://site.example/',
    'https://site.example/path',
    'https://Site.example',
    'https://site.example:443',
    'https://good.example https://other.example',
    'https://good.example, site.example',
    'https://*',
    'https://*.site.example',
    ',',
    ' , ',
  ])('refuses all requests while it is %j', async (EDGEWISE_ORIGINS) => {
    const { status, body } = await statusWith('/status', { EDGEWISE_ORIGINS })
    expect(status).toBe(503)
    expect(JSON.parse(body)).toEqual({
      code: 'INVALID_CONFIG',
      message:
        'Cannot use EDGEWISE_ORIGINS: a name in it is no origin. Write each as https://site.example.',
    })
  })

  it.each([
    '',
    'http://localhost:5173',
    ' https://a.example , http://[::1]:8080,',
    'chrome-extension://abcdefghijklmnop',
  ])('serves while it is %j', async (EDGEWISE_ORIGINS) => {
    expect((await statusWith('/status', { EDGEWISE_ORIGINS })).status).toBe(200)
  })
})

describe.each<[keyof Env, string, string[], string[]]>([
  [
    'EDGEWISE_HOSTS',
    'a name in it is no host. Write each as files.example.',
    [
      ':::',
      'a b',
      '*',
      'https://',
      'ftp://a.example',
      'a.example/path',
      'me@a.example',
      'ok,:',
      ',',
      ' ',
    ],
    ['', 'a.example', ' A.example:8443 , [::1]', 'https://a.example/', '192.0.2.1'],
  ],
  [
    'EDGEWISE_REDIRECT_SCHEMES',
    'a name in it is no scheme of a client. Write each as my-client.',
    [
      ...['my client', 'my-client://', 'client:', 'ok,*', 'My-Client', '1client', '-a', 'é'],
      ...[
        'http',
        'https',
        'javascript',
        'vbscript',
        'data',
        'blob',
        'about',
        'file',
        'ok,view-source',
        ...['ms-msdt', 'ms', 'search-ms', 'ms-settings', 'microsoft-edge', 'mailto', 'tel', 'sms'],
        ...['ftp', 'sftp', 'ws', 'wss', 'ssh', 'ldap', 'smb', 'intent', 'shell', 'x-apple', ','],
        ...['chrome', 'chrome-extension', 'moz-extension'],
      ],
    ],
    ['', 'my-client', ' one , com.example.two,', 'a1+b', 'https-client'],
  ],
  [
    'SANDBOX_SUBDOMAINS',
    'it is not 1. Set it to 1, or remove it.',
    ['yes', 'true', '2', ' 1'],
    ['', '0'],
  ],
  [
    'EDGEWISE_APP_HOST',
    'it is no JSON of settings of the app host. Write it as {"max_apps":5}.',
    ['x', '[]', '5', '{"apps":5}', '{"max_apps":0}', '{"max_apps":"5"}', '{"max_apps":21}'],
    ['', '{}', '{"max_apps":5,"app_start_seconds":60,"app_call_seconds":60}'],
  ],
  [
    'EDGEWISE_LOG',
    'it is not json. Set it to json, or remove it.',
    ['xml', 'JSON', '1'],
    ['', 'json'],
  ],
])('%s', (name, problem, invalid, valid) => {
  it.each(invalid)('refuses all requests while it is %j, except health checks', async (text) => {
    const { status, body } = await statusWith('/status', { [name]: text })
    expect(status).toBe(503)
    expect(JSON.parse(body)).toEqual({
      code: 'INVALID_CONFIG',
      message: `Cannot use ${name}: ${problem}`,
    })
    expect((await statusWith('/healthz', { [name]: text })).status).toBe(200)
  })

  it.each(valid)('serves while it is %j', async (text) => {
    expect((await statusWith('/status', { [name]: text })).status).toBe(200)
  })
})

it('refuses all requests while EDGEWISE_OWNER_SECRET is longer than one that can be entered', async () => {
  const statusOf = async (length: number) =>
    (await statusWith('/status', { EDGEWISE_OWNER_SECRET: 'x'.repeat(length) })).status
  expect(await statusOf(MAX_SECRET_LENGTH)).toBe(401)
  expect(await statusOf(MAX_SECRET_LENGTH + 1)).toBe(503)
})

it('refuses all requests while SANDBOX_SUBDOMAINS has no SANDBOX_ORIGIN, which it says something about', async () => {
  const statusOf = async (variables: Partial<Env>) =>
    (await statusWith('/status', variables)).status
  expect(await statusOf({ SANDBOX_SUBDOMAINS: '1' })).toBe(503)
  expect(await statusOf({ SANDBOX_SUBDOMAINS: '1', SANDBOX_ORIGIN: '' })).toBe(503)
  const SANDBOX_ORIGIN = 'https://apps.example'
  expect(await statusOf({ SANDBOX_SUBDOMAINS: '1', SANDBOX_ORIGIN })).toBe(200)
})

it('refuses all requests while there is a variable of ours that it does not know', async () => {
  const given: object = { EDGEWISE_READONLY: '1' }
  const { status, body } = await statusWith('/status', given)
  expect({ status, ...JSON.parse(body) }).toEqual({
    status: 503,
    code: 'INVALID_CONFIG',
    message: 'Cannot use EDGEWISE_READONLY: there is no such variable. Remove it.',
  })
})

describe('the variable of a field', () => {
  it('overrides EDGEWISE_CONFIG, and counts as not set while it is empty', () => {
    const given = {
      ...env,
      EDGEWISE_CONFIG: '{"find_limit": 7, "approval": "notify", "read_only": true}',
      EDGEWISE_FIND_LIMIT: '8',
      EDGEWISE_READ_ONLY: 'false',
      EDGEWISE_APPROVAL: '',
      EDGEWISE_ROOTS: '/a, /b',
    }
    const read = deployedConfig(given)
    expect(read.ok && formatConfig(read.value.config)).toMatchObject({
      find_limit: 8,
      approval: 'notify',
      read_only: false,
      roots: [{ path: '/a', default: true }, { path: '/b' }],
    })
  })

  it.each([
    ['EDGEWISE_FIND_LIMIT', '-1', 'find_limit must be a non-negative integer'],
    ['EDGEWISE_FIND_LIMIT', '1e3', 'find_limit must be a non-negative integer'],
    ['EDGEWISE_FIND_LIMIT', '99999999999999999999', 'find_limit must be a non-negative integer'],
    ['EDGEWISE_READ_ONLY', 'yes', 'read_only must be a boolean'],
    ['EDGEWISE_APPROVAL', 'Review', 'approval must be one of none, notify, review, confirm'],
    ['EDGEWISE_ROOTS', '[]', 'roots must not be empty'],
    ['EDGEWISE_ROOTS', '/jade\0', 'INVALID_PATH at /roots/0/path'],
    ['EDGEWISE_ROOTS', ',', 'INVALID_PATH at /roots/0/path'],
  ])('refuses all requests while %s is %j', async (name, text, reason) => {
    const { status, body } = await statusWith('/status', { [name]: text })
    expect(status).toBe(503)
    const { message } = Object(JSON.parse(body))
    expect(message).toMatch(
      new RegExp(`^Cannot use ${name}: ${reason}. Set it to a value such as `),
    )
    expect(message).not.toContain('jade')
  })
})

describe('EDGEWISE_FLAGS', () => {
  it('has the fields that it names, and no defaults', () => {
    const read = deployedConfig({ ...env, EDGEWISE_FLAGS: '{"find_limit": 7}' })
    expect(read).toEqual({ ok: true, value: { config: DEFAULT_CONFIG, flags: { find_limit: 7 } } })
  })

  it.each(['', 'x', '[]', '{"rots": []}', '{"find_limit": -1}', TWICE])(
    'refuses all requests while it is %j',
    async (EDGEWISE_FLAGS) =>
      expect((await statusWith('/status', { EDGEWISE_FLAGS })).status).toBe(503),
  )
})
