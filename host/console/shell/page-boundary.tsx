/**
 * The boundary around a page: a page that cannot be drawn leaves the rest of the console as it is.
 * `test/pages/console/console.test.ts` tests it.
 *
 * @module
 */

import type { ComponentChildren } from 'preact'
import { useErrorBoundary } from 'preact/hooks'
import { Empty } from '../ui/parts.tsx'

/** Shows `children`, or that they cannot be drawn. Give it the key of the page, so that another page is drawn. */
export function PageBoundary({ children }: { readonly children: ComponentChildren }) {
  const [error, drawAgain] = useErrorBoundary((cause) => console.error(cause))
  if (error === undefined) return <>{children}</>
  return (
    <div role="alert">
      <Empty
        icon="warning"
        title="This page cannot be drawn"
        actions={
          <button type="button" class="button" onClick={drawAgain}>
            Draw it again
          </button>
        }
      >
        Nothing was changed. The other pages work; the browser’s console has the error.
      </Empty>
    </div>
  )
}
