/**
 * The script of the consent page: Allow counts only half a second after the page is in front, because an earlier press
 * was meant for something else, such as a window of another site that its first click closed.
 *
 * The button is off in the markup, so that nothing can be allowed where the script does not run. The policy of the page
 * permits this one script, by its hash. `test/pages/console/consent.test.ts` presses too early in every way.
 *
 * @module
 */

import { hash } from 'node:crypto'
import { Html } from '../encoding/html.ts'

const DELAY_MS = 500

/**
 * A press counts as it began, so that one that begins too early cannot be held until it counts. Assistive technology
 * presses without a pointer and without a key. The button keeps its focus while it is off.
 */
const TEXT = `{
  const allow = document.querySelector('button[value=allow]')
  const isInFront = () => document.hasFocus() && !document.hidden
  let timer, isOn, isEarly = false
  const turn = (on) => allow.setAttribute('aria-disabled', !(isOn = on))
  const wait = () => {
    turn(false)
    clearTimeout(timer)
    timer = setTimeout(() => turn(isInFront()), ${DELAY_MS})
  }
  for (const type of ['focus', 'blur', 'pageshow', 'visibilitychange']) addEventListener(type, wait)
  for (const type of ['pointerdown', 'keydown'])
    allow.addEventListener(type, ({ repeat }) => (isEarly = !isOn || repeat === true))
  allow.form.addEventListener('submit', (event) => {
    if (event.submitter === allow && (isEarly || !isOn || !isInFront())) event.preventDefault()
    isEarly = false
  })
  allow.disabled = false
  wait()
}`

/** The script, to be placed behind the form. */
export const ALLOW_DELAY = Html.trusted(`<script>${TEXT}</script>`)

/** The source expression that permits it. */
export const ALLOW_DELAY_SOURCE = `'sha256-${hash('sha256', TEXT, 'base64')}'`
