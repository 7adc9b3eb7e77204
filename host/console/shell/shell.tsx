/**
 * The frame of the console: navigation at the side or, in a narrow window, at the bottom, around
 * the page.
 *
 * @module
 */

import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { linkTo, route } from './route.ts'
import { Bottom } from './bottom.tsx'
import { Icon } from '../ui/icons.tsx'
import { Navigation, ServerLink } from './navigation.tsx'
import { openPalette } from './palette.tsx'
import { SignInState } from './signed-in.tsx'
import { COMMAND_KEY } from '../ui/keys.ts'
import { ThemeSwitch } from '../ui/theme.tsx'
import { Toasts } from '../ui/toasts.tsx'

interface Props {
  /** The name of the page. */
  readonly name: string
  readonly children: ComponentChildren
}

/** Shows a page inside the navigation; a new page starts at the top, with its heading focused. */
export function Shell({ name, children }: Props) {
  const main = useRef<HTMLElement>(null)
  useArrival(name, main)
  return (
    <>
      <a class="skip" href="#main" onClick={skipTo(main)}>
        Skip to the content
      </a>
      <div class="shell">
        <div class="side">
          <Brand />
          <ServerLink />
          <Navigation label="Pages" />
          <SideFoot />
        </div>
        <main ref={main} id="main" tabIndex={-1} data-page={name}>
          <div class="where">
            <ServerLink />
          </div>
          {children}
        </main>
        <Bottom />
      </div>
      <Toasts />
    </>
  )
}

/** The element of the page. */
interface Main {
  readonly current: HTMLElement | null
}

/** Moves the focus to the heading of a new page, and of a page below or above another one whose link is gone. */
function useArrival(name: string, main: Main): void {
  const place = route.value.path.join('/')
  const before = useRef({ name, place })
  useEffect(() => {
    const isOtherPage = before.current.name !== name
    const isArrived = isOtherPage || document.activeElement === document.body
    if (before.current.place !== place && isArrived) {
      // A new page is read from its top, on screen and by screen readers.
      if (isOtherPage) scrollTo(0, 0)
      main.current?.querySelector('h1')?.focus({ preventScroll: true })
    }
    before.current = { name, place }
  }, [place])
}

function skipTo(main: Main) {
  return (event: Event) => {
    event.preventDefault()
    main.current?.focus()
  }
}

const Brand = () => (
  <a class="brand" href={linkTo([])}>
    <Icon name="mark" />
    Edgewise
  </a>
)

function SideFoot() {
  return (
    <div class="sidefoot">
      <button type="button" class="navbutton" onClick={() => openPalette()}>
        <Icon name="search" />
        Go to… <kbd>{COMMAND_KEY} K</kbd>
      </button>
      <SignInState />
      <ThemeSwitch name="theme-side" />
    </div>
  )
}
