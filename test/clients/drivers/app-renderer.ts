/** The product's views in a host of mcp-ui's AppRenderer. @module */

import { examineViews } from '../screens.ts'
import type { Examine } from '../session.ts'

export const examine: Examine = (workspace) => examineViews('pages/app-renderer.tsx', workspace)
