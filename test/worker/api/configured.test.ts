/** Limits from the owner's configuration, and the configuration of the deployment. */

import { DEFAULT_CONFIG } from '#core/config.ts'
import { deployedConfig, misconfigured } from '#worker/front/deployed-config.ts'
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

describe('EDGEWISE_CONFIG', () => {
  const withConfig = (EDGEWISE_CONFIG: string): Env => ({ ...env, EDGEWISE_CONFIG })

  it('overrides the defaults', () => {
    const read = deployedConfig(withConfig('{"find_limit": 7}'))
    expect(read).toEqual({ ok: true, value: { ...DEFAULT_CONFIG, find_limit: 7 } })
    expect(deployedConfig(env)).toEqual({ ok: true, value: DEFAULT_CONFIG })
  })

  it.each(['', 'x', '[]', '{"rots": []}', '{"find_limit": -1}'])(
    'refuses all requests while it is %j',
    async (text) => {
      const answer = misconfigured(withConfig(text))
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

  it('answers health checks while it is invalid', async () => {
    const request = new Request('http://localhost/healthz')
    const answer = await front.fetch(request, withConfig('x'), createExecutionContext())
    expect(answer.status).toBe(200)
  })
})
