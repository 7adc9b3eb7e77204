/** A hook for pages that show changes of others. @module */

import { useEffect } from 'preact/hooks'
import { watching } from './workspace.ts'

/** Polls the workspace for changes while the component is mounted. */
export function useWatch(): void {
  useEffect(() => {
    watching.value++
    return () => void watching.value--
  }, [])
}
