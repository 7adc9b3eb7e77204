/**
 * The button that decides, moved in every way: a press of the half second after that does nothing and says so, and a
 * later one decides.
 */

import { DecisionButton } from '#host/console/ui/decision-button.tsx'
import { render } from 'preact'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'

const root = document.createElement('main')
let decided: string[]
let pressedAt = 0

const notePress = ({ timeStamp }: Event) => void (pressedAt = timeStamp)

beforeEach(() => {
  document.body.append(root)
  addEventListener('pointerdown', notePress, { capture: true })
  decided = []
})

afterEach(() => {
  stay()
  render(null, root)
  root.replaceChildren()
  root.removeAttribute('style')
  document.documentElement.removeAttribute('style')
  root.remove()
  removeEventListener('pointerdown', notePress, { capture: true })
})

interface Shown {
  readonly key?: string
  readonly shown?: string
  readonly room?: number
}

function show({ key = 'one', shown = 'one', room = 100 }: Shown = {}): void {
  render(
    <>
      <div style={{ height: `${room}px` }} />
      <DecisionButton key={key} shown={shown} onDecide={() => decided.push(shown)}>
        Approve
      </DecisionButton>
      <input aria-label="Beside" />
      <div style={{ height: '3000px' }} />
    </>,
    root,
  )
}

const button = () => {
  const found = root.querySelector<HTMLElement>('button')
  if (!found) throw new Error('There is no button')
  return found
}

const isOff = () => button().getAttribute('aria-disabled') === 'true'

const press = () => userEvent.click(button(), { force: true })

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const settle = () => expect.poll(isOff).toBe(false)

const shownAlert = () => root.querySelector('[role=alert]')?.textContent

function cover(): HTMLElement {
  const sheet = document.createElement('div')
  sheet.setAttribute('style', 'position: fixed; inset: 0; z-index: 9; background: white')
  root.append(sheet)
  return sheet
}

type Way = readonly [name: string, move: () => unknown, prepare: () => unknown]

const NOTHING = () => {}

let sheet: HTMLElement

const WAYS: readonly Way[] = [
  ['something comes above it', () => show({ room: 160 }), NOTHING],
  ['something above it goes', () => show({ room: 20 }), NOTHING],
  ['what it decides is replaced in its place', () => show({ shown: 'two' }), NOTHING],
  ['it is replaced by another one', () => show({ key: 'two', shown: 'two' }), NOTHING],
  ['it is uncovered', () => sheet.remove(), () => (sheet = cover())],
  ['it is scrolled', () => scrollBy(0, 40), NOTHING],
  ['it grows', () => (button().style.padding = '20px'), NOTHING],
  ['all text grows', () => (document.documentElement.style.fontSize = '40px'), NOTHING],
  ['it is drawn elsewhere', () => (root.style.transform = 'translateY(40px)'), NOTHING],
  ['the window comes back', comeBack, leave],
  ['the window comes back with the focus in a frame', stay, () => away()],
]

/** The window of a test keeps the focus, so the test pretends that it is gone. */
const away = () => void Object.assign(document, { hasFocus: () => false })

function stay(): void {
  Reflect.deleteProperty(document, 'hasFocus')
}

async function leave(): Promise<void> {
  away()
  dispatchEvent(new Event('blur'))
  await pause(20)
}

function comeBack(): void {
  stay()
  dispatchEvent(new Event('focus'))
}

it.each(WAYS)('does nothing right after %s', async (_, move, prepare) => {
  // A machine that is too busy to press in time proves nothing, so it tries again.
  for (let attempt = 0; attempt < 5; attempt++) {
    render(null, root)
    show()
    await settle()
    await prepare()
    await pause(200)
    decided = []
    const moved = performance.now()
    await move()
    await press()
    if (pressedAt - moved > 450) continue
    expect(decided).toEqual([])
    await expect.poll(shownAlert).toBe('That press came too soon. Press again.')
    // The button may not have found out yet that it has moved.
    await pause(700)
    await settle()
    await press()
    expect(decided).toHaveLength(1)
    return
  }
  throw new Error('No press came in time')
})

it('decides where nothing has moved, and says nothing', async () => {
  show()
  await settle()
  await press()
  expect(decided).toEqual(['one'])
  expect(shownAlert()).toBeUndefined()
})

it('does nothing at the first focus of a window that was behind another one', async () => {
  for (let attempt = 0; attempt < 5; attempt++) {
    render(null, root)
    away()
    show()
    await pause(700)
    // Something else to decide does not count as a return.
    show({ shown: 'two' })
    await pause(700)
    expect(isOff()).toBe(true)
    const came = performance.now()
    comeBack()
    await press()
    if (pressedAt - came > 450) continue
    expect(decided).toEqual([])
    await settle()
    await press()
    expect(decided).toEqual(['two'])
    return
  }
  throw new Error('No press came in time')
})

it('is off at first, and while it moves', async () => {
  show()
  expect(isOff()).toBe(true)
  await settle()
  for (let room = 101; room < 111; room++) {
    show({ room: room * 2 })
    await pause(120)
  }
  expect(isOff()).toBe(true)
})

it('takes a key after it had the focus for half a second, wherever it is', async () => {
  show()
  await settle()
  button().focus()
  await userEvent.keyboard('{Enter}')
  expect(decided).toEqual([])
  await expect.poll(shownAlert).toBe('That press came too soon. Press again.')
  await pause(600)
  show({ room: 300 })
  await userEvent.keyboard('{Enter}')
  expect(decided).toEqual(['one'])
})

it('takes no press that began before it moved', async () => {
  show()
  await settle()
  button().addEventListener('pointerdown', () => show({ room: 104 }), { once: true })
  await press()
  expect(decided).toEqual([])
})
