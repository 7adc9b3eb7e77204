/**
 * Layout of a diff, side by side or unified: the user's choice, else by width.
 *
 * A sandbox without storage does not keep the choice.
 *
 * @module
 */

import { useEffect, useState } from 'preact/hooks'
import type { Layout } from '../diff/segments.ts'

/** Smallest width at which two columns are readable. */
const WIDE = '(min-width: 700px)'

const KEY = 'edgewise.review.layout'

/** Returns the current layout, and a function that sets and stores the user's choice. */
export function useLayout(): [layout: Layout, choose: (layout: Layout) => void] {
  const [chosen, setChosen] = useState(readStored)
  const [isWide, setWide] = useState(() => matchMedia(WIDE).matches)
  useEffect(() => {
    const query = matchMedia(WIDE)
    const change = () => setWide(query.matches)
    change()
    query.addEventListener('change', change)
    return () => query.removeEventListener('change', change)
  }, [])
  const choose = (layout: Layout) => {
    setChosen(layout)
    store(layout)
  }
  return [chosen ?? (isWide ? 'split' : 'unified'), choose]
}

function readStored(): Layout | null {
  try {
    const layout = localStorage.getItem(KEY)
    return layout === 'split' || layout === 'unified' ? layout : null
  } catch {
    return null
  }
}

function store(layout: Layout): void {
  try {
    localStorage.setItem(KEY, layout)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
