import { builder } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { changed, mutation } from '../platform/graph/mutation.ts';
import { propertyCreateContract, propertyUpdateContract } from './property.contract.ts';
import { propertyCreate } from './property.create.ts';
import { Property } from './property.entity.ts';
import { propertiesByIds, propertiesPage } from './property.reads.ts';
import { propertyUpdate } from './property.update.ts';

const propertyById = loaderById(propertiesByIds);

export const PropertyRef = builder.node(Property, {
  name: 'Property',
  description: 'A website or an app of a workspace.',
  authScopes: { member: true },
  id: { resolve: property => property.id },
  loadOne: (id, graph) => propertyById(graph, id),
  fields: t => ({
    name: t.exposeString('name', { nullable: false, description: 'The name of the property.' }),
    propertyId: t.string({
      nullable: false,
      description: 'The ID that SDKs send as `property_id` or `X-Property-Id`.',
      resolve: ({ id }) => id,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the property was created.',
    }),
  }),
});

const PropertyConnection = connectionType('Property', PropertyRef);

builder.queryField('properties', t =>
  t.field({
    type: PropertyConnection,
    nullable: false,
    description: 'The properties of the viewer’s workspace.',
    authScopes: { member: true },
    args: pageArgs(t.arg),
    complexity: pageCost,
    resolve: async (_root, page, { context }) =>
      connectionOfPage(await propertiesPage(context, page), page),
  }),
);

mutation({
  name: 'propertyCreate',
  description:
    'Creates a property in the viewer’s workspace. Ingest accepts its ID within a second.',
  access: 'owner',
  input: t => ({
    name: t.string({ required: true, description: 'The name of the property.' }),
  }),
  contract: propertyCreateContract,
  codes: ['TOO_MANY_PROPERTIES'],
  action: propertyCreate,
  payload: t => ({
    property: changed(t, PropertyRef, propertyById, 'The new property.'),
  }),
});

mutation({
  name: 'propertyUpdate',
  description: 'Updates a property of the viewer’s workspace.',
  access: 'owner',
  target: PropertyRef,
  input: t => ({
    name: t.string({ required: true, description: 'The name of the property.' }),
  }),
  contract: propertyUpdateContract,
  codes: ['NOT_FOUND'],
  action: propertyUpdate,
  payload: t => ({
    property: changed(t, PropertyRef, propertyById, 'The updated property.'),
  }),
});
