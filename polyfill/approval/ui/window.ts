/**
 * Opens a window for the question, for a frame in which it does not fit.
 *
 * The frame shows one button. A press of it opens the window and allows nothing, so it is no use to
 * a page that lets a person press it unseen: the window shows the whole question, over everything.
 * `test/pages/polyfill/approval-frames.slow.test.ts` covers it.
 *
 * @module
 */

import { closedTree, fill } from './dom.ts'
import { button, newDialog, openDialog } from './controls.ts'
import { intrinsics } from './intrinsics.ts'

/** Smallest frame, in CSS pixels, whose button a person can read and press. */
const MIN_WIDTH = 60
const MIN_HEIGHT = 30

const TOO_SMALL = 'its window is too small'

const FEATURES = 'popup,width=520,height=680'

/** Milliseconds between two checks that the window is still open. */
const CHECK_MS = 300

/** A refusal: the person cannot be asked here. */
export interface Refusal {
  readonly refused: string
}

const refuse = (refused: string): Refusal => intrinsics.bare({ refused })

/**
 * Asks in a window that the person opens.
 *
 * @param ask Asks in the document of the window.
 * @param signal Aborts with the call.
 * @returns What `ask` returns; `deny` if the person closes the window or dismisses the button.
 */
export function askInWindow<T>(
  ask: (place: Document) => Promise<T | null>,
  signal: AbortSignal,
): Promise<T | 'deny' | Refusal> {
  return intrinsics.promise((resolve) => {
    if (innerWidth < MIN_WIDTH || innerHeight < MIN_HEIGHT) return resolve(refuse(TOO_SMALL))
    let opened: Window | null = null
    const end = (answer: T | 'deny' | Refusal) => {
      remove()
      resolve(answer)
    }
    const deny = () => end('deny')
    const press = async () => {
      if (opened) return opened.focus()
      opened = intrinsics.open('', '', FEATURES)
      if (!opened) return end(refuse('no window was opened'))
      opened.document.title = 'Approval'
      opened.document.documentElement.style.colorScheme = 'light dark'
      end((await ask(opened.document)) ?? refuse(TOO_SMALL))
    }
    const timer = intrinsics.setInterval(() => opened?.closed && deny(), CHECK_MS)
    const stop = () => {
      intrinsics.clearInterval(timer)
      opened?.close()
    }
    const prompt = fill(newDialog(), { class: 'small' }, [button('Review request', 'once', press)])
    const remove = openDialog(prompt, closedTree(), { signal, deny, stop })
  })
}
