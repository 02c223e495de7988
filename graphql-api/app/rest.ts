// All REST routes of the control plane, and their OpenAPI document.

import type { Hono } from 'hono';
import { OPENAPI_CONTACT, OPENAPI_LICENSE } from '../../schema/values/openapi-info.ts';
import { campaignRoutes } from '../campaigns/campaign.rest.ts';
import { contactRoutes } from '../contacts/contact.rest.ts';
import { exportRoutes } from '../exports/export.rest.ts';
import { insightRoutes } from '../insights/insight.rest.ts';
import { affiliateRoutes } from '../partner/affiliate.rest.ts';
import { agencyRoutes } from '../partner/agency.rest.ts';
import { taxCertificateRoutes } from '../partner/certificate.rest.ts';
import { payoutRoutes } from '../partner/payout.rest.ts';
import { referRoutes } from '../partner/refer.rest.ts';
import { referralRoutes } from '../partner/referral.rest.ts';
import { transactionRoutes } from '../partner/transaction.rest.ts';
import { walletRoutes } from '../partner/wallet.rest.ts';
import type { HttpEnv } from '../platform/http-env.ts';
import { createRestApp, type RestApp } from '../platform/rest/rest-app.ts';
import { personRoutes } from '../privacy/person.rest.ts';
import { personExportRoutes } from '../privacy/person-export.rest.ts';
import { retentionRuleRoutes } from '../privacy/retention-rule.rest.ts';
import { segmentRoutes } from '../segments/segment.rest.ts';
import { approvalWebhookRoutes } from '../templates/approval/approval-webhook.rest.ts';
import { catalogRoutes } from '../templates/catalog-entry.rest.ts';
import { templateRoutes } from '../templates/template.rest.ts';
import { analystLoginRoutes } from '../tenancy/analyst-login.rest.ts';
import { sdkKeyRoutes } from '../tenancy/sdk-key.rest.ts';
import { workspaceRoutes } from '../tenancy/workspace.rest.ts';
import { webhookDocsRoutes } from '../webhooks/webhook-docs.rest.ts';
import { docsRoutes } from './rest-docs.ts';

const DOCUMENT = {
  openapi: '3.1.0',
  info: {
    title: 'Engagement service',
    version: '1',
    description:
      'The REST API of the control plane. Errors have the form `{"detail": …}`, and lists have the form `{"status", "items", "next_cursor"}`.',
    contact: OPENAPI_CONTACT,
    license: OPENAPI_LICENSE,
  },
  servers: [{ url: '/', description: 'The server that this document was loaded from.' }],
  tags: [
    { name: 'Affiliates', description: 'Affiliate upgrades, KYC and tax certificates.' },
    { name: 'Agencies', description: 'Deals that agencies register.' },
    { name: 'Analyst logins', description: 'Read-only ClickHouse logins.' },
    { name: 'Campaigns', description: 'In-app campaigns.' },
    { name: 'Contacts', description: 'Contacts and their consents.' },
    { name: 'Exports', description: 'Exports of events, as Parquet or JSON Lines.' },
    { name: 'Insights', description: 'Reports on events: trends, retention and funnels.' },
    { name: 'Payouts', description: 'Payouts of cash to a bank account.' },
    { name: 'Platform', description: 'Operations for platform admins.' },
    {
      name: 'Privacy',
      description: 'Erasing and exporting people’s data, and setting retention rules.',
    },
    { name: 'Referrals', description: 'Referral codes and referred organizations.' },
    { name: 'SDK keys', description: 'Credentials for SDKs.' },
    {
      name: 'Segments',
      description: 'Groups of people, defined by their behavior, for campaigns and journeys.',
    },
    { name: 'Templates', description: 'Message templates, versions and approvals.' },
    { name: 'Wallet', description: 'Balances in the partner program: credits and cash.' },
    { name: 'Workspaces', description: 'The workspaces of the organization.' },
  ],
  security: [{ bearer: [] }],
};

export function restRoutes(): Hono<HttpEnv> {
  const app = documentedRoutes();
  // Built on the first request: it takes a sixth of the start time, and few processes serve it.
  let document: ReturnType<typeof app.getOpenAPI31Document> | undefined;
  app.get('/openapi.json', c => {
    document ??= app.getOpenAPI31Document(DOCUMENT);
    return c.json(document);
  });
  app.route('/', docsRoutes());
  app.route('/', webhookDocsRoutes());
  return app;
}

/** The content of openapi.json. */
export function printedOpenApi(): string {
  return `${JSON.stringify(documentedRoutes().getOpenAPI31Document(DOCUMENT), null, 2)}\n`;
}

function documentedRoutes(): RestApp {
  const app = createRestApp();
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A JWT with the claims `sub`, `org_id` and `roles`.',
  });
  affiliateRoutes(app);
  taxCertificateRoutes(app);
  agencyRoutes(app);
  workspaceRoutes(app);
  campaignRoutes(app);
  contactRoutes(app);
  insightRoutes(app);
  exportRoutes(app);
  segmentRoutes(app);
  sdkKeyRoutes(app);
  analystLoginRoutes(app);
  templateRoutes(app);
  catalogRoutes(app);
  referRoutes(app);
  referralRoutes(app);
  walletRoutes(app);
  transactionRoutes(app);
  payoutRoutes(app);
  approvalWebhookRoutes(app);
  personRoutes(app);
  personExportRoutes(app);
  retentionRuleRoutes(app);
  return app;
}
