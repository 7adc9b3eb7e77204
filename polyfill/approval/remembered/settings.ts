/**
 * What a visitor sets in `<webmcp-approvals>`: the level of sensitive tools, and trust in the site for a day.
 *
 * Both take a gesture of the visitor that was aimed at them. Where a page of another origin is around this
 * one, and could place a click, nothing can be set. `test/pages/polyfill/approvals-settings.slow.test.ts`
 * covers it.
 *
 * @module
 */

import { SITE } from '../approval-store.ts'
import { button, el } from './draw.ts'
import type { Listed } from './rows.ts'

/** Milliseconds after a change in view in which a press may have been aimed at something else. */
const SETTLE_MS = 500

/** The levels that a visitor can set for sensitive tools. */
const LEVELS = { notify: 'Run and inform me', review: 'Ask me', confirm: 'Ask me each time' }

const TRUST =
  'While this site is trusted, its tools run with a notice where they would ask, also new ones. Tools that pay, send or delete still ask, and so do tools that ask each time.'

/** What happens when the visitor sets something. */
export interface SettingsActions {
  readonly setLevel: (level: string) => Promise<void>
  readonly setTrust: (isTrusted: boolean) => Promise<void>
}

/** The controls, and the function that shows what is stored. */
export interface Settings {
  readonly element: HTMLElement
  readonly update: (listed: Listed) => void
}

/**
 * Creates the controls.
 *
 * @param canTrust The page lets approvals be remembered for a day.
 * @returns Null where another page could place a click.
 */
export function createSettings(canTrust: boolean, actions: SettingsActions): Settings | null {
  if (!isAmongOwn(window)) return null
  let isTrusted = false
  let sensitive = 'notify'
  const trust = button('', { 'aria-describedby': 't' }, async (event) => {
    if (aim.isMeant(event)) await actions.setTrust(!isTrusted)
  })
  const level = el('select', { part: 'select' }, Object.entries(LEVELS).map(drawOption))
  level.addEventListener('change', (event) => {
    if (aim.isMeant(event)) void actions.setLevel(level.value)
    else level.value = sensitive
  })
  const aim = watchAim([trust, level])
  const update = (listed: Listed) => {
    isTrusted = listed.rows.some(({ tool }) => tool === SITE)
    sensitive = listed.sensitive in LEVELS ? listed.sensitive : 'notify'
    level.value = sensitive
    trust.textContent = isTrusted ? 'Ask again on this site' : 'Trust this site for a day'
    aim.restart()
  }
  const label = el('label', {}, [el('b', {}, ['Tools that pay, send or delete']), level])
  const hint = el('p', {}, ['The site can be stricter.'])
  const site = canTrust ? [trust, el('p', { id: 't' }, [TRUST])] : []
  return { element: el('section', {}, [label, hint, ...site]), update }
}

const drawOption = ([value, text]: readonly [string, string]) => el('option', { value }, [text])

/** Reports whether all documents around a window have its origin. */
function isAmongOwn({ parent }: Window): boolean {
  try {
    return parent.document && (parent === window.top || isAmongOwn(parent))
  } catch {
    return false
  }
}

/** Tells presses that were aimed at controls from those that were begun elsewhere. */
function watchAim(controls: readonly HTMLElement[]) {
  let timer = 0
  const show = (isReady: boolean) => {
    for (const one of controls) one.setAttribute('aria-disabled', `${!isReady}`)
  }
  const restart = () => {
    clearTimeout(timer)
    show(false)
    timer = window.setTimeout(() => {
      timer = 0
      show(true)
    }, SETTLE_MS)
  }
  window.addEventListener('focus', restart)
  return { restart, isMeant: ({ isTrusted }: Event) => isTrusted && timer === 0 }
}
