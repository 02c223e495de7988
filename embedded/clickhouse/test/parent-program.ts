// Starts a ClickHouse, prints its pid and waits to be killed.

import { startClickHouse } from '../process.ts';

const [dataDir = ''] = process.argv.slice(2);
const { pid } = await startClickHouse({ dataDir, port: 0 });
process.send?.({ pid });
