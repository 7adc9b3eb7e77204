/** Pages that show what others change look out for it while they are open. @module */

import { useEffect } from 'preact/hooks'
import { watching } from './workspace.ts'

export function useWatch(): void {
  useEffect(() => {
    watching.value++
    return () => void watching.value--
  }, [])
}
