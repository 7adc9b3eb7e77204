/** Which files a review shows first, and why: by their paths, and by what a draft does to their lines. */

import { parsePath } from '#core/path.ts'
import { risksOf } from '#worker/drafts/risks.ts'
import { describe, expect, it } from 'vitest'
import { held, show, write } from '../../support/worker/held-draft.ts'

const ofPath = (path: string, change: 'added' | 'changed' | 'deleted' = 'added') =>
  risksOf({ path: parsePath(path), change, lines: null })

describe('by path', () => {
  it.each([
    '/.env',
    '/app/.env.local',
    '/home/id_rsa',
    '/certs/site.PEM',
    '/config/secrets.yaml',
    '/aws-credentials',
    '/api.token.txt',
    '/.env-prod',
    '/id_rsa.bak',
    '/home/.ssh/authorized_keys',
    '/home/.SSH/authorized_keys',
    '/my_api_key.txt',
  ])('%s may hold secrets', (path) => expect(ofPath(path)).toEqual(['secret']))

  it.each(['/environment.md', '/tokenizer.ts', '/secretary.md', '/keyboard.ts', '/env'])(
    '%s does not',
    (path) => expect(ofPath(path)).toEqual([]),
  )

  it.each([
    '/run.sh',
    '/a/.git/hooks/pre-commit',
    '/.github/workflows/ci.yml',
    '/x.ps1',
    '/package.json',
    '/a/Makefile',
    '/.bashrc',
    '/x.lnk',
    '/x.sh.',
  ])('%s is run', (path) => expect(ofPath(path)).toEqual(['executable']))

  it('names apps and skills, and deletions', () => {
    expect(ofPath('/.apps/board/index.html')).toEqual(['app'])
    expect(ofPath('/.skills/review/SKILL.md')).toEqual(['app'])
    expect(ofPath('/sub/AGENTS.md')).toEqual(['app'])
    expect(ofPath('/sub/agents.md')).toEqual(['app'])
    expect(ofPath('/.apps')).toEqual(['app'])
    expect(ofPath('/apps/board.md')).toEqual([])
    expect(ofPath('/a.md', 'deleted')).toEqual(['deletion'])
    expect(ofPath('/run.sh', 'deleted')).toEqual(['deletion'])
  })

  it('names hidden characters and letters that look like others', () => {
    expect(ofPath('/a\u200bb.md')).toEqual(['hidden'])
    expect(ofPath('/раypal.md')).toEqual(['lookalike'])
    expect(ofPath('/документ.md')).toEqual([])
    expect(ofPath('/ｐaypal.md')).toEqual(['lookalike'])
    expect(ofPath('/документы/план')).toEqual([])
  })

  it('takes linear time on long names', () => {
    const started = performance.now()
    for (const name of ['.'.repeat(1_000), 'secret_'.repeat(140), '-token'.repeat(160)])
      ofPath(`/${name}x`)
    expect(performance.now() - started).toBeLessThan(200)
  })
})

describe('by lines, in a draft', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => `${at}\n`).join('')

  it('marks a file that loses most of its lines, and counts them', async () => {
    const workspace = await held(
      { '/a.md': numbers(30), '/b.md': numbers(30) },
      { approval: 'review' },
    )
    await write(workspace, '/a.md', 'nothing\n')
    await write(workspace, '/b.md', `${numbers(30)}more\n`)
    const { files } = await show(workspace)
    expect(files).toMatchObject([
      { path: '/a.md', risks: ['rewrite'], added: 1, removed: 30 },
      { path: '/b.md', risks: [], added: 1, removed: 0 },
    ])
  })

  it('marks lines with hidden characters that are new, and not those that were there', async () => {
    const workspace = await held({ '/old.md': 'a\u200bb\n' }, { approval: 'review' })
    await write(workspace, '/old.md', 'a\u200bb\nmore\r\n')
    await write(workspace, '/new.md', 'a\u202eb\n')
    const { files } = await show(workspace)
    expect(files.map(({ path, risks }) => [path, risks])).toEqual([
      ['/new.md', ['hidden']],
      ['/old.md', []],
    ])
  })
})
