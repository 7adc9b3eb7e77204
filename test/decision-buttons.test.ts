/** Every button that decides is a `DecisionButton`, and a page of the law over all of them shows it. */

import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DECISION_PAGES, NOT_VISITED } from './support/pages/decision-pages.ts'

const FOLDER = 'host/console/'

const sources = globSync(`${FOLDER}**/*.{ts,tsx}`).map((file) => ({
  file: file.slice(FOLDER.length),
  text: readFileSync(file, 'utf8'),
}))

/**
 * Words of what changes something for good: files, access, what waits and what was decided. A form is sent by
 * `pressByHand`, and what its person has typed moves no other button under the pointer.
 */
const DECIDES =
  /\bbyHand\(|decide|approve|turnDown|takeBack|allow\b|refuse|revoke|undo\(|restore[A-Z]|withdraw|markSeen|forgetAll|rules\.forget|\b(?:remove|delete|keep)(?:Checkpoint|Passkey|Session|Scope)/i

/** Opening tags, up to the first `>` that ends no arrow. */
const BUTTON = /<button\b(?:=>|[^>])*>/g

const filesWith = (pattern: RegExp) =>
  sources.flatMap(({ file, text }) => (pattern.test(text) ? [file] : [])).toSorted()

it('finds no other button whose press decides', () => {
  const found = sources.flatMap(({ file, text }) =>
    [...text.matchAll(BUTTON)]
      .filter(([tag]) => DECIDES.test(tag))
      .map(([tag]) => `${file} ${tag}`),
  )
  expect(found.filter((one) => !one.startsWith('ui/decision-button.tsx'))).toEqual([])
})

it('finds a button that decides without the component', () => {
  const tag = '<button type="button" onClick={() => void takeBack(row)}>'
  expect([...tag.matchAll(BUTTON)].map(([one]) => DECIDES.test(one))).toEqual([true])
})

it.each([
  // Ctrl+Enter has no button; it applies a preview that was visible for as long.
  // Ctrl+S in the editor saves what the person has typed there.
  [/\bbyHand\(/, ['files/editor.tsx', 'tools/tool-buttons.tsx', 'ui/decision-button.tsx']],
  [/\buseSettled\(/, ['tools/tool-buttons.tsx', 'ui/decision-button.tsx', 'ui/settled.ts']],
])('uses %s in one component', (pattern, files) => {
  expect(filesWith(pattern)).toEqual(files)
})

it('visits every file with a button that decides', () => {
  const visited = [...DECISION_PAGES.flatMap(({ files }) => files), ...Object.keys(NOT_VISITED)]
  expect(visited.toSorted()).toEqual(filesWith(/<DecisionButton\b/))
})
