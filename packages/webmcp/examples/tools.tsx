import { useTool } from '@edgewise/webmcp/react'
import { useState } from 'react'

/** A counter that people and agents can set. */
export function Counter() {
  const [count, setCount] = useState(0)
  useTool({
    name: 'set_count',
    description: 'Sets the counter.',
    inputSchema: {
      type: 'object',
      properties: { value: { type: 'integer' } },
      required: ['value'],
    },
    annotations: { humanInTheLoopHint: 'notify', intentTemplate: 'Set the counter to {value}' },
    execute({ value }: { value: number }) {
      setCount(value)
      return `The counter was ${count} and is ${value}`
    },
  })
  return <button onClick={() => setCount(count + 1)}>{count}</button>
}
