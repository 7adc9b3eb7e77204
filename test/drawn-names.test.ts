/** Paths and claimed names are drawn by one component each, so that no place of a page forgets how. */

import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (folder: string) =>
  globSync(`${folder}**/*.tsx`).map((file) => ({
    file: file.slice(folder.length),
    text: readFileSync(file, 'utf8'),
  }))

const sources = read('host/console/')

/** An expression that is drawn as text, alone or with its hidden characters. */
const DRAWN = /(?:<(?:Visible|SafeLine|SafeText|ShortText) text=|(?<=[>\s]))\{([\w.]+)\}(?! as=)/g

const NAMED = /<Visible text=\{([\w.]+)\}/g

const findDrawn = (drawing: RegExp, name: RegExp, all = sources) =>
  all.flatMap(({ file, text }) =>
    [...text.matchAll(drawing)].flatMap(([, drawn = '']) =>
      name.test(drawn) ? [`${file} ${drawn}`] : [],
    ),
  )

it('draws no path but as a path', () => {
  expect(findDrawn(DRAWN, /(?:^|\.)(?:\w*[pP]ath|folder|scope)$/)).toEqual([])
})

it('draws no path of a view but as a path, and no sentence with paths but as one', () => {
  const name = /(?:^|\.)(?:\w*[pP]ath|folder|intent)$/
  expect(findDrawn(DRAWN, name, read('views/'))).toEqual([])
})

it('draws in a question, and beside what decides, no other words of others as plain text', () => {
  const rooms = /^(?:questions|rules|sessions)\//
  const found = sources.flatMap(({ file, text }) =>
    rooms.test(file)
      ? [...text.matchAll(/<Visible text=\{(.+?)\} \/>/g)].map(([, one]) => `${file} ${one}`)
      : [],
  )
  expect(found.toSorted()).toEqual([
    // A question of the server, and the address that it wants to open.
    'questions/app-question.tsx question.message',
    'questions/dialog.tsx asker.server',
    'questions/dialog.tsx call.tool',
    // A line of a content, and the name of an argument.
    'questions/dialog.tsx line',
    'questions/dialog.tsx name',
    'questions/dialog.tsx title',
    'questions/elicitation.tsx message',
    'questions/elicitation.tsx message',
    'questions/elicitation.tsx url',
    // What a server wishes of a model.
    'questions/sampling.tsx text',
  ])
})

it('draws no claimed name but as a claimed name', () => {
  const found = findDrawn(NAMED, /(?:^|\.)(?:label|clientName|client|actor)$/)
  expect(found.toSorted()).toEqual([
    // The console of the person has given it.
    'notifications/device-list.tsx label',
    // The person has chosen it.
    'passkeys/passkey-entry.tsx label',
  ])
})

it('finds a path and a name that are drawn otherwise', () => {
  const drawn = '<b>{row.path}</b> <Visible text={label} />'
  expect([...drawn.matchAll(DRAWN)].map(([, one]) => one)).toEqual(['row.path', 'label'])
})
