/** The product's views in a host of the official AppBridge. @module */

import { examineViews } from '../screens.ts'
import type { Examine } from '../session.ts'

export const examine: Examine = (workspace) => examineViews('pages/app-bridge.ts', workspace)
