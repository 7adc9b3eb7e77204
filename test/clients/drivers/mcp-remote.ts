/** mcp-remote: a stdio server for clients that speak nothing else. @module */

import type { Driver } from '../session.ts'
import { overStdio, program } from '../stdio.ts'

export const driver: Driver = {
  open: ({ url }, mode) =>
    overStdio([program('mcp-remote/dist/proxy.js'), url], mode === 'sdk 1' ? '1' : '2'),
}
