"""
Starts MiniStack in hypercorn, with one fault mended, without which no stack with nested ones can be updated: where an update leaves a
nested stack's resource as it was, MiniStack 1.5.33 forgets its attributes, and what refers to them fails.
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

from hypercorn.__main__ import main  # noqa: E402

sys.exit(main(["ministack.app:app", *sys.argv[1:]]))
