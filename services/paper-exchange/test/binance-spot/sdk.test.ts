import { contract } from '../contract/suite.ts'
import { SDK } from './clients.ts'
import { SDK_OPERATIONS } from './operations.ts'

contract(SDK, SDK_OPERATIONS)
