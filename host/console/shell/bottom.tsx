/** The bottom navigation of a narrow window, and its drawer. @module */

import { useEffect, useRef, useState } from 'preact/hooks'
import { offeredPages } from './offered-pages.ts'
import { route } from './route.ts'
import { Icon } from '../ui/icons.tsx'
import { Navigation, PageLink, ServerLink } from './navigation.tsx'
import { openPalette } from './palette.tsx'
import { SignInState } from './signed-in.tsx'
import { ThemeSwitch } from '../ui/theme.tsx'

/** Shows four pages and a button that opens the drawer with all of them. */
export function Bottom() {
  const [isOpen, setOpen] = useState(false)
  const [current = ''] = route.value.path
  return (
    <>
      <nav class="bottom" aria-label="Main pages">
        {offeredPages.value.slice(0, 4).map((page) => (
          <PageLink
            key={page.name}
            page={{ ...page, title: page.shortTitle ?? page.title }}
            current={current}
          />
        ))}
        <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <Icon name="more" />
          More
        </button>
      </nav>
      {isOpen && <Drawer onClose={() => setOpen(false)} />}
    </>
  )
}

function Drawer({ onClose }: { readonly onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    ref.current?.showModal()
    return () => ref.current?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      class="drawer"
      aria-label="All pages"
      onClose={onClose}
      onClick={({ target: at }) => {
        if (at === ref.current) onClose()
      }}
    >
      <ServerLink />
      <Navigation label="All pages" onGo={onClose} />
      <button
        type="button"
        class="navbutton"
        onClick={() => {
          onClose()
          openPalette()
        }}
      >
        <Icon name="search" /> Go to…
      </button>
      <SignInState />
      <ThemeSwitch name="theme-drawer" />
      <button type="button" class="button" onClick={onClose}>
        Close
      </button>
    </dialog>
  )
}
