/** Tool facts are read from `_meta` or annotations; an invalid hint counts as the strictest. */

import type { JsonRecord } from '#core/json.ts'
import { callFactsOf, changeOf, factsOf, intentOf, isApplication } from '#host/mcp/tool-facts.ts'
import { parseCallResult, parseResources, parseTools } from '#host/mcp/parse.ts'
import type { Tool } from '#host/mcp/types.ts'
import { describe, expect, it } from 'vitest'

function toolWith(raw: JsonRecord): Tool {
  const [tool] = parseTools({ tools: [{ name: 'x', ...raw }] }).items
  if (!tool) throw new Error('It has a name')
  return tool
}

const hintOf = (raw: JsonRecord) => factsOf(toolWith(raw)).hint

describe('the hint', () => {
  it.each([
    ['nothing', {}, 'confirm'],
    ['reading', { readOnlyHint: true }, 'none'],
    ['reading, as a text', { readOnlyHint: 'true' }, 'confirm'],
    ['explicit', { humanInTheLoopHint: 'notify' }, 'notify'],
    ['explicit and reading', { humanInTheLoopHint: 'review', readOnlyHint: true }, 'review'],
    ['unknown', { humanInTheLoopHint: 'sometimes', readOnlyHint: true }, 'confirm'],
    ['consequential', { humanInTheLoopHint: 'none', consequentialHint: true }, 'confirm'],
  ])('%s', (_name, annotations, hint) => {
    expect(hintOf({ annotations })).toBe(hint)
  })

  it('comes from _meta if both have it', () => {
    const meta = { 'dev.edgewise/tool': { humanInTheLoopHint: 'review' } }
    expect(hintOf({ annotations: { humanInTheLoopHint: 'none' }, _meta: meta })).toBe('review')
  })
})

it('reads all facts of a tool', () => {
  const tool = toolWith({
    annotations: {
      intentTemplate: 'Open {door}',
      preview: true,
      scopes: ['open', 7],
      dynamic_scopes: ['open:x'],
      group: 'house',
      priority: 2,
      destructiveHint: false,
    },
    _meta: { ui: { resourceUri: 'ui://house/door', visibility: ['app'] } },
  })
  expect(factsOf(tool)).toMatchObject({
    intentTemplate: 'Open {door}',
    preview: true,
    scopes: ['open'],
    dynamicScopes: ['open:x'],
    group: 'house',
    priority: 2,
    ui: { resourceUri: 'ui://house/door' },
    visibility: { model: false, app: true },
    readOnly: false,
    destructive: false,
  })
  expect(callFactsOf(tool, { door: 'the left' })).toMatchObject({
    intent: { text: 'Open "the left"' },
    preview: true,
  })
})

it.each([
  [{ 'ui/resourceUri': 'ui://old' }, { resourceUri: 'ui://old' }],
  [{ ui: { resourceUri: 'https://elsewhere/page' } }, null],
  [{ ui: 'ui://x' }, null],
  [{}, null],
])('the view in %j', (_meta, ui) => {
  expect(factsOf(toolWith({ _meta })).ui).toEqual(ui)
})

describe('the intent', () => {
  it('marks the values of the arguments', () => {
    const tool = toolWith({ annotations: { intentTemplate: 'Open {door}' } })
    expect(intentOf(tool, { door: '{x}' }).parts).toEqual([
      { type: 'text', text: 'Open ' },
      { type: 'value', text: '{x}', key: 'door' },
    ])
  })

  it.each([
    ['the description', { description: 'Opens' }, 'Opens'],
    ['the title', { title: 'Door' }, 'Door'],
    ['the name', {}, 'x'],
    [
      'the description when it is too long',
      { description: 'Opens', annotations: { intentTemplate: 'a'.repeat(3_000) } },
      'Opens',
    ],
    [
      'the description when it renders to nothing',
      { description: 'Opens', annotations: { intentTemplate: '[{door}]' } },
      'Opens',
    ],
  ])('is %s without a template', (_name, raw, text) => {
    expect(intentOf(toolWith(raw), {}).text).toBe(text)
  })
})

it('reads a change, and only a change', () => {
  const change = {
    id: 'c1',
    tool: 'edit_file',
    paths: ['/a'],
    applied: true,
    version: 4,
    review: 'ui://edit_file/c1',
    diff: 'https://elsewhere',
    hunks: [1],
  }
  const facts = changeOf(parseCallResult({ _meta: { 'dev.edgewise/change': change } }))
  expect(facts).toMatchObject({
    id: 'c1',
    paths: ['/a'],
    version: 4,
    review: 'ui://edit_file/c1',
    diff: null,
    raw: change,
  })
  for (const wrong of [{}, { 'dev.edgewise/change': {} }, { 'dev.edgewise/change': 'c1' }])
    expect(changeOf(parseCallResult({ _meta: wrong }))).toBe(null)
})

it('finds applications among resources', () => {
  const resources = [
    { uri: 'ui://a', mimeType: 'text/html;profile=mcp-app', annotations: { type: 'application' } },
    { uri: 'ui://b', mimeType: 'text/html', annotations: { type: 'Application' } },
    { uri: 'ui://c', mimeType: 'text/plain', annotations: { type: 'application' } },
    { uri: 'ui://d', mimeType: 'text/html' },
  ]
  expect(
    parseResources({ resources })
      .items.filter(isApplication)
      .map(({ uri }) => uri),
  ).toEqual(['ui://a', 'ui://b'])
})
