/** `app.json`: values, defaults, and problems with their places. */

import { isAppName } from '#core/apps/name.ts'
import { starterFiles } from '#core/apps/starters.ts'
import { TEMPLATES } from '#core/apps/templates.ts'
import { defaultManifest, readManifest } from '#worker/apps/manifest.ts'
import { expect, it } from 'vitest'

const read = (value: unknown) => readManifest(JSON.stringify(value), 'board')

it('has a default for every field', () => {
  expect(read({})).toEqual({ ok: true, value: defaultManifest('board') })
  expect(defaultManifest('board')).toEqual({
    title: 'board',
    description: '',
    entrypoint: 'index.html',
    template: null,
    config: {},
    csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
    permissions: [],
    prefersBorder: true,
    domain: null,
    forTool: null,
    data: [],
    write: [],
  })
})

it('reads every field, those of ui.meta.json too', () => {
  const given = {
    name: 'board',
    title: 'Board',
    description: 'Tasks',
    template: 'kanban',
    config: { draggable: false },
    entrypoint: 'main.html',
    meta: {
      csp: { connectDomains: ['https://api.example.com'] },
      permissions: { clipboardWrite: {}, camera: false, geolocation: true },
      prefersBorder: false,
      sandboxDomain: 'a.example.com',
    },
    data: ['/tasks/*.md', 'board.md'],
    write: ['board.md'],
  }
  expect(read(given)).toMatchObject({
    ok: true,
    value: {
      title: 'Board',
      template: 'kanban',
      config: { draggable: false },
      entrypoint: 'main.html',
      csp: { connectDomains: ['https://api.example.com'], frameDomains: [] },
      permissions: ['geolocation', 'clipboardWrite'],
      prefersBorder: false,
      domain: 'a.example.com',
      data: ['tasks/*.md', 'board.md'],
      write: ['board.md'],
    },
  })
})

it.each([
  [5, ''],
  [[], ''],
  [{ name: 'other' }, '/name'],
  [{ titel: 'x' }, '/titel'],
  [{ 'a/b~': 1 }, '/a~1b~0'],
  [{ title: 5 }, '/title'],
  [{ title: 'x'.repeat(101) }, '/title'],
  [{ template: 'pie-chart' }, '/template'],
  [{ config: [] }, '/config'],
  [{ template: 'kanban', config: { draggable: 'no' } }, '/config/draggable'],
  [{ template: 'form', config: {} }, '/config/fields'],
  [{ entrypoint: '../index.html' }, '/entrypoint'],
  [{ entrypoint: '/index.html' }, '/entrypoint'],
  [{ entrypoint: 'index.js' }, '/entrypoint'],
  [{ meta: { csp: { connectDomains: ['http://a.example'] } } }, '/meta/csp/connectDomains/0'],
  [
    { meta: { csp: { connectDomains: ['https://a; script-src *'] } } },
    '/meta/csp/connectDomains/0',
  ],
  [{ meta: { csp: { connectDomains: ['ws.example;x'] } } }, '/meta/csp/connectDomains/0'],
  [{ meta: { csp: { scripts: [] } } }, '/meta/csp/scripts'],
  [{ meta: { permissions: { usb: {} } } }, '/meta/permissions/usb'],
  [{ data: ['../secret'] }, '/data/0'],
  [{ data: ['docs/../../x'] }, '/data/0'],
  [{ data: ['..\\x'] }, '/data/0'],
  [{ data: ['/'] }, '/data/0'],
  [{ data: ['a', '['] }, '/data/1'],
  [{ write: 'board.md' }, '/write'],
])('%j has its problem at %s', (value, pointer) => {
  const manifest = read(value)
  expect(manifest.ok ? [] : manifest.error.map((one) => one.pointer)).toEqual([pointer])
})

it('reads a host without a scheme as https, and for connections as wss, too', () => {
  const csp = { connectDomains: ['api.example.com'], frameDomains: ['*.example.com'] }
  expect(read({ meta: { csp } })).toMatchObject({
    value: {
      csp: {
        connectDomains: ['https://api.example.com', 'wss://api.example.com'],
        frameDomains: ['https://*.example.com'],
      },
    },
  })
})

it.each(['board', 'a', '0', 'my-board_2', 'x'.repeat(40)])('%s is a name', (name) => {
  expect(isAppName(name)).toBe(true)
})

it.each(['', '.', '..', 'a/b', 'A', 'a b', '-a', 'a-', 'ä', 'x'.repeat(41), '__proto__'])(
  '%j is no name',
  (name) => {
    expect(isAppName(name)).toBe(false)
  },
)

it.each(TEMPLATES)('a new app of %s can be approved', (template) => {
  for (const data of [undefined, '/team/list.csv']) {
    const files = starterFiles({ template, name: 'board', data })
    const [manifest] = files.ok ? files.value : []
    expect(readManifest(manifest?.text ?? '', 'board')).toMatchObject({
      ok: true,
      value: { title: 'Board', template },
    })
  }
})
