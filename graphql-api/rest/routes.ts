// Every REST route of the control plane, and the document that describes them.

import type { Hono } from 'hono';
import type { HttpEnv } from '../http-env.ts';
import { affiliateRoutes } from './affiliates.ts';
import { agencyRoutes } from './agencies.ts';
import { approvalWebhookRoutes } from './approval-webhooks.ts';
import { campaignRoutes } from './campaigns.ts';
import { catalogRoutes } from './catalog.ts';
import { contactRoutes } from './contacts.ts';
import { docsRoutes } from './docs.ts';
import { payoutRoutes } from './payouts.ts';
import { referRoutes } from './refer.ts';
import { referralRoutes } from './referrals.ts';
import { createRestApp, type RestApp } from './rest-app.ts';
import { sdkKeyRoutes } from './sdk-keys.ts';
import { taxCertificateRoutes } from './tax-certificates.ts';
import { templateRoutes } from './templates.ts';
import { transactionRoutes } from './transactions.ts';
import { walletRoutes } from './wallet.ts';
import { webhookDocsRoutes } from './webhook-docs.ts';
import { workspaceRoutes } from './workspaces.ts';

const DOCUMENT = {
  openapi: '3.1.0',
  info: {
    title: 'Engagement service',
    version: '1',
    description:
      'The control plane over REST. Errors are `{"detail": …}`; lists are `{"status", "items", "next_cursor"}`.',
  },
  security: [{ bearer: [] }],
};

export function restRoutes(): Hono<HttpEnv> {
  const app = documentedRoutes();
  const document = app.getOpenAPI31Document(DOCUMENT);
  app.get('/openapi.json', c => c.json(document));
  app.route('/', docsRoutes());
  app.route('/', webhookDocsRoutes());
  return app;
}

/** As committed in openapi.json. */
export function printedOpenApi(): string {
  return `${JSON.stringify(documentedRoutes().getOpenAPI31Document(DOCUMENT), null, 2)}\n`;
}

function documentedRoutes(): RestApp {
  const app = createRestApp();
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A token with sub, org_id and roles.',
  });
  affiliateRoutes(app);
  taxCertificateRoutes(app);
  agencyRoutes(app);
  workspaceRoutes(app);
  campaignRoutes(app);
  contactRoutes(app);
  sdkKeyRoutes(app);
  templateRoutes(app);
  catalogRoutes(app);
  referRoutes(app);
  referralRoutes(app);
  walletRoutes(app);
  transactionRoutes(app);
  payoutRoutes(app);
  approvalWebhookRoutes(app);
  return app;
}
