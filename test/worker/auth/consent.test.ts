/** Consent: what is granted are the rows that were shown and selected, whatever the form says. */

import { MAX_GRANTED_SCOPES } from '#worker/sessions/limits.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ConsentPage } from '../../support/core/consent-page.ts'
import {
  formOf,
  registerClient,
  resourceFor,
  signedInOwner,
  type Fields,
} from '../../support/worker/consent.ts'

let owner: Awaited<ReturnType<typeof signedInOwner>>
beforeAll(async () => {
  owner = await signedInOwner()
})

const newName = () => `w-${crypto.randomUUID()}`

const textsOf = ({ rows }: ConsentPage) => rows.map(({ text }) => text.replaceAll(/\s+/g, ' '))
const scopesOf = ({ rows }: ConsentPage) => rows.map(({ scope }) => scope)

/** The form with more fields, in place of those of the same name. */
function withFields(form: URLSearchParams, fields: Fields): URLSearchParams {
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

/** Shows a request for these scopes and sends the form as it is. Returns what the page showed and what was granted. */
async function allow(...scopes: string[]) {
  const workspace = newName()
  const page = await owner.open(scopes, resourceFor(workspace))
  const { status, headers } = await owner.send(formOf(page, 'allow'))
  expect([status, headers.get('location')?.includes('code=')]).toEqual([303, true])
  return { page, granted: await owner.granted(workspace) }
}

const ALL = 'All files Every file of the workspace, also those that are added later'

describe('Allow without a change', () => {
  it.each<[string, string[], string[], string[]]>([
    [
      'a comma belongs to the path',
      ['read:file:/shared/notes/2026/weekly-meetings-and-minutes-of-the-team,/'],
      ['/shared/notes/2026/weekly-meetings-and-minutes-of-the-team,'],
      ['read:file:/shared/notes/2026/weekly-meetings-and-minutes-of-the-team,'],
    ],
    [
      'folders go up before they are shown',
      ['read:file:/team/notes/../..'],
      [ALL],
      ['read:file:/'],
    ],
    [
      'all files come first',
      ['read:file:/notes', 'read:file:/'],
      [ALL, '/notes'],
      ['read:file:/', 'read:file:/notes'],
    ],
    [
      'each action keeps its own folders',
      ['read:file:/', 'write:file:/notes'],
      [ALL, '/notes'],
      ['read:file:/', 'write:file:/notes'],
    ],
    [
      'duplicates are one row',
      ['read:file:/a', 'read:file://a/', 'read:file:/b/../a'],
      ['/a'],
      ['read:file:/a'],
    ],
    ['without scopes, everything', [], [ALL, ALL], ['read', 'write']],
    ['the plain action', ['write', 'write:file:/', 'write:*'], [ALL], ['write']],
    [
      'other scopes mean nothing',
      ['read:file:/a', 'openid', 'read:db:/', 'write2'],
      ['/a'],
      ['read:file:/a'],
    ],
  ])('grants the rows: %s', async (_, requested, shown, scopes) => {
    const { page, granted } = await allow(...requested)
    expect(textsOf(page)).toEqual(shown)
    expect(granted).toEqual(scopes)
  })

  it('grants nothing to a client that requested only other scopes', async () => {
    const workspace = newName()
    const page = await owner.open(['openid', 'offline_access'], resourceFor(workspace))
    expect(page.rows.map(({ isSelected }) => isSelected)).toEqual([false, false])
    const again = await owner.sendAgain(formOf(page, 'allow'))
    expect(again.notices).toEqual([expect.stringContaining('nothing is selected')])
    expect(await owner.granted(workspace)).toBeUndefined()
    const { status } = await owner.send(formOf(again, 'allow', ['read']))
    expect([status, await owner.granted(workspace)]).toEqual([303, ['read']])
  })
})

it.each([
  ['an invalid path', ['read:file:/a\\b']],
  ['half of a scope', ['write:file:']],
  [
    'more than MAX_GRANTED_SCOPES rows',
    Array.from({ length: MAX_GRANTED_SCOPES + 1 }, (_, at) => `read:file:/${at}`),
  ],
])('sends a client back that requests %s', async (_, scopes) => {
  const { status, headers } = await owner.request(scopes)
  expect(status).toBe(302)
  expect(new URL(headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_scope')
})

describe('a folder that the owner adds', () => {
  const add = (page: ConsentPage, fields: Fields) =>
    owner.sendAgain(withFields(formOf(page, 'add'), fields))

  it('is a row, selected instead of those that contain it, and is granted', async () => {
    const workspace = newName()
    const page = await owner.open(['read', 'write:file:/notes'], resourceFor(workspace))
    const more = await add(page, { 'folder-read': ' /notes/../docs/ ' })
    expect(await owner.granted(workspace)).toBeUndefined()
    expect(more.rows).toEqual([
      { scope: 'read', text: expect.stringContaining('All files'), isSelected: false },
      { scope: 'read:file:/docs', text: '/docs (added by you)', isSelected: true },
      { scope: 'write:file:/notes', text: '/notes', isSelected: true },
    ])
    const both = await add(more, { 'folder-read': '/a,b', 'folder-write': '/notes/2026' })
    expect(scopesOf(both)).toHaveLength(5)
    await owner.send(formOf(both, 'allow'))
    const scopes = ['read:file:/a,b', 'read:file:/docs', 'write:file:/notes/2026']
    expect(await owner.granted(workspace)).toEqual(scopes)
  })

  it.each([
    '/private',
    '/',
    '/notesx',
    '/notes/..',
    '../x',
    'notes2',
    '/notes/../private',
    '/a\\b',
    '/\u0000',
  ])('is refused outside of the rows, and the form is kept: %j', async (folder) => {
    const page = await owner.open(['read:file:/notes', 'write:file:/'])
    const form = withFields(formOf(page, 'add', ['write:file:/']), { 'folder-read': folder })
    const again = await owner.sendAgain(form)
    expect(again.notices).toEqual([expect.stringContaining('Cannot add this folder')])
    expect(scopesOf(again)).toEqual(scopesOf(page))
    expect(again.rows.map(({ isSelected }) => isSelected)).toEqual([false, true])
    expect(again.html).toContain('name="folder-read"')
  })

  it('is shown before it is granted, also if Allow was pressed', async () => {
    const workspace = newName()
    const page = await owner.open(['read'], resourceFor(workspace))
    const form = withFields(formOf(page, 'allow'), { 'folder-read': '/docs' })
    const again = await owner.sendAgain(form)
    expect(await owner.granted(workspace)).toBeUndefined()
    expect(scopesOf(again)).toEqual(['read', 'read:file:/docs'])
  })

  it('is selected if it is a row already', async () => {
    const page = await owner.open(['read', 'read:file:/notes'])
    const again = await add(page, { 'folder-read': '/notes/.' })
    expect(again.rows.map(({ isSelected }) => isSelected)).toEqual([false, true])
  })

  it('is refused beyond MAX_GRANTED_SCOPES rows', async () => {
    const folders = Array.from({ length: MAX_GRANTED_SCOPES }, (_, at) => `read:file:/${at}`)
    const page = await owner.open(folders)
    const again = await add(page, { 'folder-read': '/1/a' })
    expect(again.notices).toEqual([expect.stringContaining('maximum')])
    const fits = await add(await owner.open(folders.slice(1)), { 'folder-read': '/1/a' })
    expect(fits.rows).toHaveLength(MAX_GRANTED_SCOPES)
  })
})

describe('an altered form', () => {
  it.each<[string, Fields]>([
    ['a wider row', { row: 'read:file:/' }],
    ['another action', { row: 'write:file:/notes' }],
    ['another spelling', { row: 'read:file:/notes/' }],
    ['an added row that was not shown', { added: 'read:file:/notes/a', row: 'read:file:/notes/a' }],
    ['an added row that is wider', { added: 'read:file:/', row: 'read:file:/' }],
    ['another digest', { shown: 'x' }],
    ['no digest', { shown: '' }],
  ])('grants nothing and shows the page again: %s', async (_, changes) => {
    const workspace = newName()
    const page = await owner.open(['read:file:/notes'], resourceFor(workspace))
    const again = await owner.sendAgain(withFields(formOf(page, 'allow'), changes))
    expect(again.notices).toEqual([expect.stringContaining('Nothing was allowed')])
    expect(again.rows).toEqual(page.rows)
    expect(await owner.granted(workspace)).toBeUndefined()
    await owner.send(formOf(again, 'allow'))
    expect(await owner.granted(workspace)).toEqual(['read:file:/notes'])
  })

  it.each<[string, string[], () => Promise<Fields>]>([
    ['other rows', ['read:file:/a'], async () => ({})],
    ['another workspace', ['read:file:/notes'], async () => resourceFor(newName())],
    [
      'another client',
      ['read:file:/notes'],
      async () => ({ client_id: await registerClient('B') }),
    ],
  ])('is not the answer to a page with %s', async (_, scopes, changes) => {
    const workspace = newName()
    const client_id = await registerClient('A')
    const asked = { ...resourceFor(workspace), client_id }
    const shown = await owner.open(scopes, { ...asked, ...(await changes()) })
    const page = await owner.open(['read:file:/notes'], asked)
    const crossed = withFields(formOf(shown, 'allow'), { handle: page.handle })
    await owner.sendAgain(crossed)
    expect(await owner.granted(workspace)).toBeUndefined()
  })

  it('is answered once, whatever the answer is', async () => {
    const page = await owner.open(['read'])
    await owner.sendAgain(formOf(page, 'allow', []))
    expect((await owner.send(formOf(page, 'allow'))).status).toBe(400)
  })
})

it.each([
  ['/mcp', 'default'],
  ['/w/notes/mcp', 'notes'],
])('the workspace is the one that %s names, as text', async (path, name) => {
  const { resource } = resourceFor('x')
  const page = await owner.open(['read'], { resource: resource.replace('/w/x/mcp', path) })
  expect(page.workspace).toBe(name)
  expect(page.html).not.toContain('name="workspace"')
})
