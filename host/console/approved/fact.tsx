/** One fact of what an app or a skill declares. `test/host/console/app-approvals.test.tsx` covers it. @module */

import { Visible } from '../ui/visible.tsx'

interface FactProps {
  readonly name: string
  readonly values: readonly string[]
  /** What is shown without values. */
  readonly none?: string
  readonly isCode?: boolean
}

/** Shows a name and its values, as a row of a list of facts. */
export function Fact({ name, values, none = '', isCode = false }: FactProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {values.length === 0 && none}
        {values.map((value) =>
          isCode ? (
            <code key={value}>
              <Visible text={value} />
            </code>
          ) : (
            <Visible key={value} text={value} />
          ),
        )}
      </dd>
    </>
  )
}
