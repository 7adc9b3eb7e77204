/**
 * What the element draws around an app: its frame, whose it is, and how to come back from a larger mode.
 *
 * Everything from outside is set as text. The frame never moves in the document, because that would load it
 * again; the larger modes lift the box that it stands in into the top layer.
 *
 * @module
 */

import { button, make } from './dom.ts'
import type { McpView } from './element.ts'
import { STYLE } from './style.ts'
import type { DisplayMode } from './types.ts'

export interface Shell {
  /** Where the frame stands. */
  readonly slot: HTMLElement
  /** Who is shown, what it may reach, and a sentence about its state, perhaps with a way to try again. */
  readonly caption: (
    app: string,
    server: string | null,
    reaches: string,
    note: string,
    retry: boolean,
  ) => void
  /** The mode, whether there is a border and, inline, a header, and whether there can be more room. */
  readonly fit: (mode: DisplayMode, border: boolean, canGrow: boolean) => void
}

export function createShell(view: McpView): Shell {
  const root = view.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  root.adoptedStyleSheets = [sheet]

  const [name, server, reach, words] = [make('b'), make('i'), make('i'), make('span')]
  const leave = () => void view.requestDisplayMode('inline')
  const grow = button('⤢', () => void view.requestDisplayMode('fullscreen'), 'Full screen')
  const back = button('✕', leave, 'Back')
  const again = button('Try again', () => void view.reload())
  const note = make('p', { role: 'status' }, words, again)
  const slot = make('div')
  const header = make('header', {}, name, server, reach, grow, back)
  const box = make('dialog', {}, header, note, slot)
  box.oncancel = (event) => {
    event.preventDefault()
    leave()
  }
  root.append(box)

  /** Lifts the box into the top layer, or puts it back; alone where the rest of the page has to wait. */
  function lift(mode: DisplayMode): void {
    box.close()
    box.popover = mode === 'pip' ? 'manual' : null
    box.role = mode === 'fullscreen' ? 'dialog' : 'group'
    if (mode === 'pip') box.showPopover()
    if (mode === 'fullscreen') box.showModal()
  }

  return {
    slot,
    caption(app, from, reaches, text, retry) {
      name.textContent = box.ariaLabel = app
      server.textContent = from
      reach.textContent = reach.title = reaches
      words.textContent = text
      note.hidden = text === ''
      again.hidden = !retry
    },
    fit(mode, border, canGrow) {
      const inline = mode === 'inline'
      const entered = !box.classList.contains(mode)
      box.className = `box ${mode} ${inline && !border ? 'bare' : ''}`
      grow.hidden = !canGrow || mode === 'fullscreen'
      back.hidden = inline
      if (entered) lift(mode)
      if (entered) back.focus()
    },
  }
}
