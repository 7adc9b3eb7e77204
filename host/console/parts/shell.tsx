/**
 * The frame of the console: navigation at the side or, in a narrow window, at the bottom, around
 * the page.
 *
 * @module
 */

import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { linkTo, route } from '../state/route.ts'
import { Bottom } from './bottom.tsx'
import { Icon } from './icons.tsx'
import { Navigation, Place } from './navigation.tsx'
import { openPalette } from './palette.tsx'
import { WhoIsHere } from './person.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { Toasts } from './toasts.tsx'

/** Shows a page inside the navigation; a new page starts at the top, with its heading focused. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const [name = ''] = route.value.path
  const main = useRef<HTMLElement>(null)
  const before = useRef(name)
  useEffect(() => {
    if (before.current === name) return
    before.current = name
    // A new page is read from its top, on screen and by screen readers.
    scrollTo(0, 0)
    main.current?.querySelector('h1')?.focus({ preventScroll: true })
  }, [name])
  return (
    <>
      <a class="skip" href="#main" onClick={skipTo(main)}>
        Skip to the content
      </a>
      <div class="shell">
        <div class="side">
          <Brand />
          <Place />
          <Navigation label="Pages" />
          <SideFoot />
        </div>
        <main ref={main} id="main" tabIndex={-1} class={name === 'files' ? 'full' : ''}>
          {children}
        </main>
        <Bottom />
      </div>
      <Toasts />
    </>
  )
}

function skipTo(main: { readonly current: HTMLElement | null }) {
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
        Go to… <kbd>{IS_MAC ? '⌘' : 'Ctrl'} K</kbd>
      </button>
      <WhoIsHere />
      <ThemeSwitch name="theme-side" />
    </div>
  )
}

const IS_MAC = /mac|iphone|ipad/i.test(navigator.userAgent)
