/**
 * What the element draws around an app: its frame, its name and server, and the buttons to change
 * the mode.
 *
 * All untrusted strings are set as text. The frame never moves in the document, because the browser
 * would reload it; the larger modes move its box into the top layer instead.
 *
 * @module
 */

import { button, make } from './dom.ts'
import { STYLE } from './style.ts'
import type { DisplayMode, ViewHost } from './types.ts'

/** The element's shadow tree. */
export interface Shell {
  /** Container of the frame. */
  readonly slot: HTMLElement
  /** Sets the header (app, server, origins that the app may reach) and the status with its retry button. */
  readonly caption: (
    app: string,
    server: string | null,
    origins: string,
    note: string,
    canRetry: boolean,
  ) => void
  /** Sets the mode, whether there is a border and, inline, a header, and whether full screen is offered. */
  readonly fit: (mode: DisplayMode, border: boolean, canGrow: boolean) => void
  /** Whether no modal dialog of the page is above the element. */
  readonly isOnTop: () => boolean
}

/** Builds the shadow tree of an element. */
export function createShell(view: ViewHost): Shell {
  const root = view.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLE)
  root.adoptedStyleSheets = [sheet]

  const [name, server, reach, status] = [make('b'), make('i'), make('i'), make('span')]
  const leave = () => void view.requestDisplayMode('inline')
  const grow = button('⤢', () => void view.requestDisplayMode('fullscreen'), 'Full screen')
  const back = button('✕', leave, 'Back')
  const retry = button('Try again', () => void view.reload())
  const note = make('p', { role: 'status' }, status, retry)
  const slot = make('div')
  const header = make('header', {}, name, server, reach, grow, back)
  const box = make('dialog', { tabIndex: -1 }, header, note, slot)
  box.oncancel = (event) => {
    event.preventDefault()
    leave()
  }
  root.append(box)

  /** Moves the box into or out of the top layer; full screen is modal, picture-in-picture is not. */
  function lift(mode: DisplayMode): void {
    box.close()
    box.popover = mode === 'pip' ? 'manual' : null
    box.role = mode === 'fullscreen' ? 'dialog' : 'group'
    if (mode === 'pip') box.showPopover()
    if (mode === 'fullscreen') box.showModal()
  }

  return {
    slot,
    isOnTop: () => canFocus(root, box),
    caption(app, from, origins, text, canRetry) {
      name.textContent = box.ariaLabel = app
      server.textContent = from
      reach.textContent = reach.title = origins
      status.textContent = text
      note.hidden = text === ''
      retry.hidden = !canRetry
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

/**
 * Reports whether an element of a shadow tree can get the focus, which afterwards is where it was. A modal
 * dialog keeps it away, even one in a closed shadow tree, which no selector finds.
 */
function canFocus(root: ShadowRoot, element: HTMLElement): boolean {
  const before = document.activeElement
  element.focus({ preventScroll: true })
  const isFocused = root.activeElement === element
  if (before instanceof HTMLElement) before.focus()
  return isFocused
}
