"""All a target offers before any request: tools, prompts, resources, instructions."""

from mcp_eval.model.base import JsonObject, Noun


class Tool(Noun, rename="camel"):
    """One tool as `tools/list` describes it."""

    name: str
    title: str | None = None
    description: str | None = None
    input_schema: JsonObject = {}
    output_schema: JsonObject | None = None
    annotations: JsonObject | None = None


class Prompt(Noun, rename="camel"):
    """One prompt as `prompts/list` describes it."""

    name: str
    title: str | None = None
    description: str | None = None
    arguments: tuple[JsonObject, ...] = ()


class Resource(Noun, rename="camel"):
    """One resource, or one resource template (then `uri` holds the template)."""

    uri: str
    name: str = ""
    description: str | None = None
    mime_type: str | None = None


class Surface(Noun):
    """What one build offers; two of one name stay two."""

    server_name: str = ""
    server_version: str = ""
    protocol: str = ""
    capabilities: JsonObject = {}
    instructions: str | None = None
    tools: tuple[Tool, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    resources: tuple[Resource, ...] = ()
    resource_templates: tuple[Resource, ...] = ()

    def tool(self, name: str) -> Tool | None:
        """The tool of this name, the first where the name stands twice."""
        return next((tool for tool in self.tools if tool.name == name), None)
