// Serves `/docs`, where the OpenAPI document can be browsed and tried out. Nothing is loaded from other
// origins.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Hono } from 'hono';
import type { HttpEnv } from '../platform/http-env.ts';

const DISTRIBUTION = dirname(
  createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'),
);

/** The files of the distribution that the page uses. */
const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
} as const;

const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  persistAuthorization: true,
  validatorUrl: null,
});
`;

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Engagement service: REST API</title>
    <link rel="icon" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="docs"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** Allows only resources of this origin. */
const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

const ASSET_SECONDS = 3_600;

export function docsRoutes(): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get('/docs', c => c.html(PAGE, 200, { 'Content-Security-Policy': POLICY }));
  app.get('/docs/start.js', c => c.body(START, 200, { 'Content-Type': 'text/javascript' }));
  for (const [name, type] of Object.entries(ASSETS)) {
    app.get(`/docs/${name}`, async c => {
      const bytes = await readFile(join(DISTRIBUTION, name));
      const caching = `public, max-age=${ASSET_SECONDS}`;
      return c.body(bytes, 200, { 'Content-Type': type, 'Cache-Control': caching });
    });
  }
  return app;
}
