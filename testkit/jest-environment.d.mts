/** Between two test files it sets the worker's global object back. */
export default class OwnGlobal {
  constructor(config: { projectConfig: object })
  teardown(): Promise<void>
}
