/**
 * The module node:http. An `import` of it reads each of its exports, and one of them loads node's
 * client for fetch and WebSocket, which takes 25 ms of CPU in every thread and is never used.
 */
export const nodeHttp = process.getBuiltinModule('node:http');
