import { workspaceReads } from '../platform/database/entity-reads.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { expose, memberNode } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { changedObject, mutation } from '../platform/graph/mutation.ts';
import {
  propertyCreate,
  propertyCreateContract,
  propertyUpdate,
  propertyUpdateContract,
} from './property.actions.ts';
import { Property } from './property.entity.ts';

const properties = workspaceReads(Property);
const propertyById = loaderById(properties.byIds);

const PropertyRef = memberNode('Property', propertyById, {
  description: 'A website or an app in a workspace.',
  fields: t => ({
    ...expose(t, 'String!', { name: 'The name of the property.' }),
    propertyId: t.string({
      nullable: false,
      description: 'The ID that SDKs send as `property_id` or `X-Property-Id`.',
      resolve: ({ id }) => id,
    }),
    ...expose(t, 'DateTime!', { createdAt: 'When the property was created.' }),
  }),
});

const PropertyConnection = connectionType('Property', PropertyRef);

pageQuery('properties', {
  type: PropertyConnection,
  description: 'The properties in the viewer’s workspace.',
  page: properties.page,
});

mutation({
  name: 'propertyCreate',
  description:
    'Creates a property in the viewer’s workspace. Within a second, ingest starts accepting events with the property’s ID.',
  access: 'owner',
  input: t => ({
    name: t.string({ required: true, description: 'The name of the property.' }),
  }),
  contract: propertyCreateContract,
  codes: ['TOO_MANY_PROPERTIES'],
  action: propertyCreate,
  payload: changedObject('property', PropertyRef, propertyById, 'The new property.'),
});

mutation({
  name: 'propertyUpdate',
  description: 'Updates a property in the viewer’s workspace.',
  access: 'owner',
  target: PropertyRef,
  input: t => ({
    name: t.string({ required: true, description: 'The name of the property.' }),
  }),
  contract: propertyUpdateContract,
  codes: ['NOT_FOUND'],
  action: propertyUpdate,
  payload: changedObject('property', PropertyRef, propertyById, 'The updated property.'),
});
