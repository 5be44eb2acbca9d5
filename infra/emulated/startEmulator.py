"""
Starts MiniStack 1.5.33 in hypercorn, with two faults mended:

- Where an update leaves a nested stack's resource as it was, it forgets its attributes, and what refers to them fails: no stack with nested
  ones can be updated.
- It decodes the path of a request to a REST API, where API Gateway keeps it as the client wrote it: an encoded slash splits a segment.
"""

import sys

from ministack.services.cloudformation import provisioners

attributes = {}
provision = provisioners._provision_resource
update = provisioners._update_resource


def provisioned(resource_type, logical_id, props, stack_name, *rest):
    physical_id, attrs = provision(resource_type, logical_id, props, stack_name, *rest)
    attributes[stack_name, logical_id] = attrs
    return physical_id, attrs


def updated(resource_type, physical_id, old, new, stack_name, logical_id=None, old_attrs=None):
    known = old_attrs or attributes.get((stack_name, logical_id))
    physical_id, attrs = update(resource_type, physical_id, old, new, stack_name, logical_id, known)
    attributes[stack_name, logical_id] = attrs
    return physical_id, attrs


# Before the modules that take them by name are loaded.
provisioners._provision_resource = provisioned
provisioners._update_resource = updated

from ministack import app  # noqa: E402

handle_api_request = app._handle_execute_api_request


async def handle_encoded_path(host, path, *rest, raw_path=None, **named):
    return await handle_api_request(host, raw_path or path, *rest, raw_path=raw_path, **named)


app._handle_execute_api_request = handle_encoded_path

from hypercorn.__main__ import main  # noqa: E402

sys.exit(main(["ministack.app:app", *sys.argv[1:]]))
